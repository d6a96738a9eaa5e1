import type { Kafka } from "kafkajs";
import { BROKERS_MS, eventually } from "../support/eventually.ts";
import type { Env } from "../support/weir.ts";
import { createTopics } from "./create-topics.ts";
import { freshName } from "./records.ts";

/** Topics and a group for one test alone, in the form of a worker's settings. */
export interface WeirTopics {
  readonly env: Env;
  readonly live: string;
  readonly bulk: string;
  readonly verdicts: string;
  readonly deadLetters: string;
  readonly retryPrefix: string;
  readonly group: string;
  /** All topics of the worker. */
  readonly all: readonly string[];
}

export async function weirTopics(kafka: Kafka, brokers: readonly string[], partitions = 3): Promise<WeirTopics> {
  const name = freshName("weir");
  const topics = {
    live: `${name}.events`,
    bulk: `${name}.backfill`,
    verdicts: `${name}.verdicts`,
    deadLetters: `${name}.dead-letters`,
    retryPrefix: `${name}.retry`,
    group: name,
  };
  const control = `${name}.control`;
  const { live, bulk, verdicts, deadLetters, retryPrefix } = topics;
  const retries = ["10s", "1m", "10m"].map((tier) => `${retryPrefix}.${tier}`);
  const all = [live, bulk, verdicts, deadLetters, ...retries, control];
  await createTopics(kafka, [
    ...[live, bulk, verdicts, deadLetters, ...retries].map((topic) => ({ topic, numPartitions: partitions })),
    { topic: control, numPartitions: 1 },
  ]);
  const env = {
    KAFKA_BROKERS: brokers.join(","),
    KAFKA_GROUP_ID: name,
    KAFKA_SESSION_TIMEOUT: "6s",
    TOPICS_REALTIME: live,
    TOPICS_BACKFILL: bulk,
    TOPIC_VERDICTS: verdicts,
    TOPIC_DEAD_LETTERS: deadLetters,
    TOPIC_RETRY_PREFIX: retryPrefix,
    TOPIC_CONTROL: control,
    // Several workers share one machine in these tests.
    ADMIN_PORT: "0",
  };
  return { ...topics, all, env };
}

/** One record of a topic, with its value as text. */
export interface Read {
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly value: string;
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** All records of a topic once `isEnough` returns true, in the order of the partitions. */
export async function readUntil(
  kafka: Kafka,
  topic: string,
  isEnough: (records: readonly Read[]) => boolean,
  what: string,
): Promise<readonly Read[]> {
  const records: Read[] = [];
  const consumer = kafka.consumer({ groupId: freshName("group"), maxWaitTimeInMs: 100 });
  await consumer.connect();
  try {
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ partition, message }) => {
        const headers = Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]);
        records.push({
          partition,
          offset: Number(message.offset),
          key: message.key?.toString() ?? "",
          value: message.value?.toString() ?? "",
          bytes: message.value ?? Buffer.alloc(0),
          headers: Object.fromEntries(headers),
        });
      },
    });
    await eventually(
      () => records.length,
      () => isEnough(records),
      what,
      BROKERS_MS,
    );
    return records;
  } finally {
    await consumer.disconnect();
  }
}
