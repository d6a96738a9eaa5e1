import { randomUUID } from "node:crypto";
import { type Kafka, logLevel, type Message } from "kafkajs";
import { sha256 } from "../../src/kernel/hash.ts";
import { createTopics } from "./create-topics.ts";

/** Settings of every client in these tests. */
export const quiet = { clientId: "weir-test", logLevel: logLevel.NOTHING } as const;

/** A unique name for a topic or a group. */
export function freshName(what: string): string {
  return `${what}-${randomUUID()}`;
}

/** The record of event `i`: its own address and one user. */
export function addressEvent(i: number): string {
  const address = (role: string) => `0x${sha256(`${role} ${i}`).slice(0, 40)}`;
  return JSON.stringify({
    id: `event-${i}`,
    type: "address",
    chain_id: "1",
    address: address("target"),
    user_addresses: [address("user")],
  });
}

/** Creates a topic that is ready for writes. */
export async function createTopic(
  kafka: Kafka,
  { partitions = 1, replicas = -1 }: { readonly partitions?: number; readonly replicas?: number } = {},
): Promise<string> {
  const topic = freshName("topic");
  await createTopics(kafka, [{ topic, numPartitions: partitions, replicationFactor: replicas }]);
  return topic;
}

/**
 * Returns once every in-sync replica has each record once. Without a partition the records go to all partitions in
 * turn.
 */
export async function produce(
  kafka: Kafka,
  topic: string,
  values: readonly string[],
  partition?: number,
): Promise<void> {
  const partitions = partition === undefined ? await partitionsOf(kafka, topic) : [partition];
  const placed = values.map((value, i) => ({ value, partition: partitions[i % partitions.length] ?? 0 }));
  await produceOnce(kafka, topic, placed);
}

const MOST_A_SEND = 1_000;

/**
 * Returns once every in-sync replica has each record once. One partition a send: kafkajs repeats all partitions of a
 * request when a new partition has no leader yet. An idempotent producer of kafkajs then loses its sequence numbers.
 */
export async function produceOnce(
  kafka: Kafka,
  topic: string,
  messages: readonly (Message & { readonly partition: number })[],
): Promise<void> {
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  try {
    for (const share of Map.groupBy(messages, ({ partition }) => partition).values()) {
      for (let from = 0; from < share.length; from += MOST_A_SEND) {
        await producer.send({ topic, acks: -1, messages: share.slice(from, from + MOST_A_SEND) });
      }
    }
  } finally {
    await producer.disconnect();
  }
}

async function partitionsOf(kafka: Kafka, topic: string): Promise<readonly number[]> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    return topics.flatMap(({ partitions }) => partitions.map(({ partitionId }) => partitionId)).sort((a, b) => a - b);
  } finally {
    await admin.disconnect();
  }
}

/** The first `count` values of a topic, by a separate group. */
export async function consume(kafka: Kafka, topic: string, count: number): Promise<readonly string[]> {
  const consumer = kafka.consumer({ groupId: freshName("group"), maxWaitTimeInMs: 100 });
  const values: string[] = [];
  const { promise: enough, resolve, reject } = Promise.withResolvers<void>();
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    if (!payload.restart) reject(payload.error);
  });
  await consumer.connect();
  try {
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ message }) => {
        values.push(message.value?.toString() ?? "");
        if (values.length >= count) resolve();
      },
    });
    await enough;
  } finally {
    await consumer.disconnect();
  }
  return values;
}
