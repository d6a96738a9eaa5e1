import type { Kafka } from "kafkajs";
import { BROKERS_MS, eventually } from "../support/eventually.ts";
import type { KafkaCluster } from "./kafka-cluster.ts";
import type { KafkaNode } from "./kafka-node.ts";
import { createTopic } from "./records.ts";

/** A topic on brokers that all run and are in sync. */
export async function spreadTopic(cluster: KafkaCluster, kafka: Kafka, partitions: number): Promise<string> {
  await Promise.all(cluster.nodes.map((node) => node.start()));
  // While topics of the previous test have no leader, kafkajs refuses to create another topic.
  const made = () => createTopic(kafka, { partitions }).catch(() => undefined);
  const topic = (await eventually(made, (name) => name !== undefined, "a new topic", BROKERS_MS)) ?? "";
  await eventually(
    () => partitionsOf(kafka, topic),
    (found) => found.length === partitions && found.every(({ isr }) => isr.length === cluster.nodes.length),
    "all replicas in sync",
    BROKERS_MS,
  );
  return topic;
}

/** The brokers' report about a topic's partitions; empty while they report none. */
export async function partitionsOf(kafka: Kafka, topic: string) {
  const admin = kafka.admin({ retry: { retries: 0 } });
  try {
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    return topics[0]?.partitions ?? [];
  } catch {
    return [];
  } finally {
    await admin.disconnect();
  }
}

export function nodeOf(cluster: KafkaCluster, id: number | undefined): KafkaNode {
  const node = cluster.nodes[(id ?? 0) - 1];
  if (node === undefined) throw new Error(`no broker ${id}`);
  return node;
}

export async function leaderOf(kafka: Kafka, topic: string, partition: number): Promise<number | undefined> {
  return (await partitionsOf(kafka, topic)).find(({ partitionId }) => partitionId === partition)?.leader;
}

/** A group's coordinator is the leader of the offsets partition that Java's hash of the group's name selects. */
export async function coordinatorOf(kafka: Kafka, groupId: string): Promise<number | undefined> {
  const offsets = "__consumer_offsets";
  let hash = 0;
  for (const character of groupId) hash = (Math.imul(31, hash) + character.charCodeAt(0)) | 0;
  return leaderOf(kafka, offsets, (hash & 0x7fffffff) % (await partitionsOf(kafka, offsets)).length);
}
