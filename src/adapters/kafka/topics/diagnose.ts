import type { Admin } from "kafkajs";
import { countText } from "../../../kernel/text.ts";
import { connectionFailure } from "../consumer/connection-failure.ts";
import type { CheckedItem } from "./check.ts";
import { missingTopics } from "./create-topics.ts";
import { judgeTopics, MIN_REPLICATION, type TopicFacts } from "./topic-checks.ts";
import { gatherTopicFacts, type TopicAdmin } from "./topic-facts.ts";
import { purposesOf, type Topics } from "./topics.ts";

/** The part of kafkajs's admin that a diagnosis needs. */
export type DiagnosisAdmin = TopicAdmin & Pick<Admin, "connect" | "disconnect" | "describeCluster" | "createTopics">;

export interface Diagnosis {
  /** As host:port. */
  readonly brokers: readonly string[];
  readonly topics: Topics;
  readonly recordMaxBytes: number;
  /** A new client that knows these brokers alone and is not connected. */
  readonly openAdmin: (brokers: readonly string[], options: { readonly retries: number }) => DiagnosisAdmin;
  readonly sleep: (ms: number) => Promise<void>;
  /** Absent: nothing is created. The default replication is 3, or the number of brokers where that is lower. */
  readonly create?: { readonly partitions: number; readonly replication?: number };
}

/** A broker that refuses connections must be reported at once. */
const RETRIES = { reach: 0, topics: 5 };
/**
 * A new topic is not known to each broker at once, and has no leader at once. It is looked for at this interval, a
 * bounded number of times.
 */
const LOOK_EVERY_MS = 500;
const LOOKS = 60;

/** The results, and the configured brokers that answer. */
export interface Diagnosed {
  readonly checks: readonly CheckedItem[];
  readonly reached: readonly string[];
}

/** Reaches the brokers, including the ones that they advertise, and checks the topics. */
export async function diagnose(diagnosis: Diagnosis): Promise<Diagnosed> {
  const listed = await Promise.all(diagnosis.brokers.map((broker) => reach(diagnosis, broker, "KAFKA_BROKERS")));
  const reached = listed.filter(({ check }) => check.ok === true).map(({ broker }) => broker);
  const known = new Set(diagnosis.brokers);
  const advertised = new Set(listed.flatMap(({ nodes }) => nodes).filter((node) => !known.has(node)));
  const others = await Promise.all([...advertised].map((broker) => reach(diagnosis, broker, "advertised")));
  const brokers = [...listed, ...others].map(({ check }) => check);
  if (reached.length === 0) return { checks: [...brokers, unlooked], reached };
  const nodes = new Set(listed.flatMap((each) => each.nodes)).size;
  return { checks: [...brokers, ...(await lookAtTopics(diagnosis, reached, nodes))], reached };
}

const unlooked: CheckedItem = {
  check: "topics",
  ok: false,
  detail: "no broker to ask",
  remedy: "see to the brokers first",
};

interface Reached {
  readonly broker: string;
  readonly check: CheckedItem;
  /** The brokers of the cluster that this broker knows, as host:port. */
  readonly nodes: readonly string[];
}

async function reach({ openAdmin }: Diagnosis, broker: string, from: string): Promise<Reached> {
  const check = `broker ${broker} (${from})`;
  const admin = openAdmin([broker], { retries: RETRIES.reach });
  try {
    await admin.connect();
    const cluster = await admin.describeCluster();
    const nodes = cluster.brokers.map(({ host, port }) => `${host}:${port}`);
    const detail = `answers; the cluster has ${countText(nodes.length, "broker")}`;
    return { broker, check: { check, ok: true, detail, remedy: "" }, nodes };
  } catch (thrown) {
    return { broker, check: { check, ok: false, ...connectionFailure(thrown) }, nodes: [] };
  } finally {
    await closed(admin);
  }
}

async function lookAtTopics(
  diagnosis: Diagnosis,
  reached: readonly string[],
  nodes: number,
): Promise<readonly CheckedItem[]> {
  const { topics, recordMaxBytes, create } = diagnosis;
  const names = purposesOf(topics).map(([topic]) => topic);
  const admin = diagnosis.openAdmin(reached, { retries: RETRIES.topics });
  try {
    await admin.connect();
    const facts = await gatherTopicFacts(admin, names);
    if (create === undefined) return judgeTopics(topics, facts, { recordMaxBytes });
    const replication = create.replication ?? Math.max(1, Math.min(MIN_REPLICATION, nodes));
    const missing = missingTopics(topics, facts, { partitions: create.partitions, replication, recordMaxBytes });
    const created = await createAll(admin, missing);
    const isNew = new Set(created.filter(({ ok }) => ok === true).map(({ topic }) => topic));
    const settled = await settledFacts(admin, names, isNew, diagnosis.sleep);
    return [...created, ...judgeTopics(topics, settled, { recordMaxBytes })];
  } catch (thrown) {
    return [{ check: "topics", ok: false, ...connectionFailure(thrown) }];
  } finally {
    await closed(admin);
  }
}

/** The facts about topics, once all `created` topics exist or the looks are used up. */
async function settledFacts(
  admin: TopicAdmin,
  names: readonly string[],
  created: ReadonlySet<string>,
  sleep: Diagnosis["sleep"],
): ReturnType<typeof gatherTopicFacts> {
  for (let look = 0; ; look++) {
    const facts = await gatherTopicFacts(admin, names);
    const isSettled = [...created].every((topic) => isLed(facts.get(topic)));
    if (isSettled || look === LOOKS) return facts;
    await sleep(LOOK_EVERY_MS);
  }
}

function isLed(facts: TopicFacts | undefined): boolean {
  return facts?.state === "there" && facts.leaderless === undefined;
}

type Created = CheckedItem & { readonly topic: string };

async function createAll(
  admin: DiagnosisAdmin,
  missing: ReturnType<typeof missingTopics>,
): Promise<readonly Created[]> {
  const checks: Created[] = [];
  // One by one: a refusal must not hide the results of the other topics.
  for (const shape of missing) {
    const { topic } = shape;
    const check = `create ${topic}`;
    try {
      // kafkajs's own wait fails when a broker does not know the topic yet, and reports the topic as not created.
      const isNew = await admin.createTopics({ topics: [shape], waitForLeaders: false });
      checks.push({ topic, check, ok: true, detail: isNew ? "created" : "was created by somebody else", remedy: "" });
    } catch (thrown) {
      const remedy = "create it by hand, or as who may do it";
      checks.push({ topic, check, ok: false, detail: refusalOf(thrown), remedy });
    }
  }
  return checks;
}

/** kafkajs keeps the brokers' own messages in a list of errors, one a topic. */
function refusalOf(thrown: unknown): string {
  const errors: unknown = thrown instanceof Error ? Reflect.get(thrown, "errors") : undefined;
  const [first] = Array.isArray(errors) ? errors : [];
  return first instanceof Error ? first.message : connectionFailure(thrown).detail;
}

/** The results count, even when the disconnect fails. */
async function closed(admin: DiagnosisAdmin): Promise<void> {
  await admin.disconnect().catch(() => undefined);
}
