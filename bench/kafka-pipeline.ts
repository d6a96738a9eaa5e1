/**
 * `weir worker` beside bare kafkajs on the same broker, in one run. It prints events a second from the start of a
 * program on a full topic, and processor time an event. The bare loop consumes, parses, writes a verdict of the same
 * size and produces, without any request to a service. `node bench/kafka-pipeline.ts [EVENTS] [CPU_PROFILE_FOLDER]`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Kafka } from "kafkajs";
import { sha256 } from "../src/kernel/hash.ts";
import { startKafka } from "../test/servers/kafka-cluster.ts";
import { freshName, quiet } from "../test/servers/records.ts";
import { imageSettings, startService } from "./pipeline-run.ts";

const EVENTS = Number(process.argv[2] ?? 100_000);
const PROFILES = process.argv[3];
const ROUNDS = 3;
const PARTITIONS = 6;
/** The unit of `/proc/<pid>/stat` on every Linux. */
const TICK_MS = 10;
const here = import.meta.dirname;

const cluster = await startKafka({ brokers: 1 });
const service = await startService();
try {
  const kafka = new Kafka({ ...quiet, brokers: [...cluster.bootstrap] });
  const admin = kafka.admin();
  await admin.connect();
  const name = freshName("bench");
  const topics = ["events", "live", "retry.10s", "retry.1m", "retry.10m", "dead-letters"].map((t) => `${name}.${t}`);
  const [events = ""] = topics;
  const create = async (...names: readonly string[]) => {
    const made = names.map((topic) => ({ topic, numPartitions: PARTITIONS }));
    await admin.createTopics({ topics: made, waitForLeaders: false });
    // A wait for leaders fails on a broker that does not know the topic yet.
    await delay(1_000);
  };
  await create(...topics);
  await admin.createTopics({ topics: [{ topic: `${name}.control`, numPartitions: 1 }], waitForLeaders: false });
  await fill(kafka, events);

  const run = async (program: readonly string[], env: NodeJS.ProcessEnv): Promise<Measured> => {
    const group = freshName("group");
    const verdicts = `${name}.${group}`;
    await create(verdicts);
    const child = spawn(process.execPath, [...program], {
      env: {
        ...process.env,
        ...imageSettings(),
        ADMIN_PORT: "0",
        KAFKA_BROKERS: cluster.bootstrap.join(","),
        KAFKA_GROUP_ID: group,
        TOPICS_BACKFILL: events,
        TOPICS_REALTIME: `${name}.live`,
        TOPIC_VERDICTS: verdicts,
        TOPIC_DEAD_LETTERS: `${name}.dead-letters`,
        TOPIC_RETRY_PREFIX: `${name}.retry`,
        TOPIC_CONTROL: `${name}.control`,
        ...env,
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const written = async () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
      // A new topic may have no leader yet.
      const ends = await admin.fetchTopicOffsets(verdicts).catch(() => []);
      return ends.reduce((sum, { high }) => sum + Number(high), 0);
    };
    try {
      while ((await written()) === 0) await delay(20);
      const [startedAt, cpuBefore, before] = [performance.now(), cpuMsOf(child), await written()];
      let now = before;
      while (now < EVENTS) {
        await delay(50);
        now = await written();
      }
      const counted = now - before;
      return {
        perSecond: (1000 * counted) / (performance.now() - startedAt),
        cpuMicros: (1000 * (cpuMsOf(child) - cpuBefore)) / counted,
        verdicts,
      };
    } finally {
      child.kill("SIGTERM");
      await once(child, "close");
    }
  };

  const weir = (flags: readonly string[] = []) =>
    run([...flags, path.join(here, "../src/cli/main.ts"), "worker"], {
      SERVICE_URL: service.url,
      SERVICE_API_KEY: "k",
    });
  const first = await weir(PROFILES === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${PROFILES}`]);
  const sample = await firstValue(kafka, first.verdicts);
  const rounds: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const bare = await run([path.join(here, "bare-kafkajs.ts")], { SAMPLE: sample });
    const ours = await weir();
    rounds.push(ours.perSecond / bare.perSecond);
    process.stdout.write(`round ${round}: bare kafkajs ${shown(bare)}; weir worker ${shown(ours)}\n`);
  }
  process.stdout.write(`weir worker / bare kafkajs: ${rounds.toSorted()[1]?.toFixed(2)} (median of ${ROUNDS})\n`);
  await admin.disconnect();
} finally {
  service.stop();
  await cluster.close();
}

interface Measured {
  readonly perSecond: number;
  /** Of the process, with all threads. */
  readonly cpuMicros: number;
  readonly verdicts: string;
}

function shown({ perSecond, cpuMicros }: Measured): string {
  return `${Math.round(perSecond)}/s, ${Math.round(cpuMicros)} µs of processor an event`;
}

/** User and system time of a process so far, from the kernel. */
function cpuMsOf({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14);
  return TICK_MS * (Number(user) + Number(system));
}

/** The events of the other benches, with a user each and without findings. */
async function fill(kafka: Kafka, topic: string): Promise<void> {
  const producer = kafka.producer();
  await producer.connect();
  for (let from = 0; from < EVENTS; from += 1_000) {
    const messages = Array.from({ length: Math.min(1_000, EVENTS - from) }, (_, at) => {
      const i = from + at;
      const address = (role: string) => `0x${sha256(`${role} ${i}`).slice(0, 40)}`;
      const event = { type: "address", chain_id: "1", address: address("target"), user_addresses: [address("user")] };
      return { partition: i % PARTITIONS, value: JSON.stringify({ ...event, id: `event-${i}` }) };
    });
    await producer.send({ topic, acks: -1, messages });
  }
  await producer.disconnect();
}

async function firstValue(kafka: Kafka, topic: string): Promise<string> {
  const consumer = kafka.consumer({ groupId: freshName("group") });
  const { promise, resolve } = Promise.withResolvers<string>();
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({ eachMessage: async ({ message }) => resolve(String(message.value)) });
  const value = await promise;
  await consumer.disconnect();
  return value;
}
