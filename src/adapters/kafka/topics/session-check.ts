import kafkajs, { type Admin } from "kafkajs";
import { connectionFailure } from "../consumer/connection-failure.ts";
import type { CheckedItem } from "./check.ts";
import { protocolErrorOf } from "./topic-facts.ts";

export type SessionAdmin = Pick<Admin, "connect" | "disconnect" | "describeCluster" | "describeConfigs">;

/** Session timeouts that one broker accepts from members of groups, milliseconds; NaN where it reports none. */
export interface SessionLimits {
  readonly broker: string;
  readonly minMs: number;
  readonly maxMs: number;
}

const MIN = "group.min.session.timeout.ms";
const MAX = "group.max.session.timeout.ms";
const CHECK = "session timeout";

/** Whether every broker accepts the session timeout of Weir's groups. A broker that does not lets no member join. */
export async function checkSession(admin: SessionAdmin, sessionTimeoutMs: number): Promise<CheckedItem> {
  try {
    await admin.connect();
    return judgeSession(await sessionLimits(admin), sessionTimeoutMs);
  } catch (thrown) {
    const type = protocolErrorOf(thrown);
    const detail = `the brokers' limits are not known, so ${sessionTimeoutMs} ms was not checked`;
    if (type === "CLUSTER_AUTHORIZATION_FAILED" || type === "TOPIC_AUTHORIZATION_FAILED") {
      const remedy = "grant this client DESCRIBE_CONFIGS on the cluster, or compare KAFKA_SESSION_TIMEOUT by hand";
      return { check: CHECK, ok: "warn", detail: `${detail}: this client may not read them`, remedy };
    }
    const failure = connectionFailure(thrown);
    return { check: CHECK, ok: "warn", detail: `${detail}: ${failure.detail}`, remedy: failure.remedy };
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

async function sessionLimits(admin: SessionAdmin): Promise<readonly SessionLimits[]> {
  const { brokers } = await admin.describeCluster();
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: brokers.map(({ nodeId }) => ({
      type: kafkajs.ConfigResourceTypes.BROKER,
      name: String(nodeId),
      configNames: [MIN, MAX],
    })),
  });
  return resources.map(({ resourceName, configEntries }) => {
    const values = new Map(configEntries.map(({ configName, configValue }) => [configName, configValue]));
    const number = (name: string) => Number.parseInt(values.get(name) ?? "", 10);
    return { broker: resourceName, minMs: number(MIN), maxMs: number(MAX) };
  });
}

/** The result for these limits. A limit that a broker does not report refuses nothing. */
export function judgeSession(limits: readonly SessionLimits[], sessionTimeoutMs: number): CheckedItem {
  const ours = `KAFKA_SESSION_TIMEOUT is ${sessionTimeoutMs} ms`;
  const low = limits.find(({ maxMs }) => maxMs < sessionTimeoutMs);
  if (low !== undefined) {
    const detail = `${ours}, and ${MAX} of broker ${low.broker} is ${low.maxMs}: no worker can join a group there`;
    const remedy = `set KAFKA_SESSION_TIMEOUT to at most ${low.maxMs}ms, or raise ${MAX} on every broker`;
    return { check: CHECK, ok: "warn", detail, remedy };
  }
  const high = limits.find(({ minMs }) => minMs > sessionTimeoutMs);
  if (high !== undefined) {
    const detail = `${ours}, and ${MIN} of broker ${high.broker} is ${high.minMs}: no worker can join a group there`;
    const remedy = `set KAFKA_SESSION_TIMEOUT to at least ${high.minMs}ms, or lower ${MIN} on every broker`;
    return { check: CHECK, ok: "warn", detail, remedy };
  }
  return { check: CHECK, ok: true, detail: `${sessionTimeoutMs} ms, which the brokers take`, remedy: "" };
}
