import type { ITopicConfig, Kafka } from "kafkajs";
import { BROKERS_MS, eventually } from "../support/eventually.ts";

/**
 * Creates topics, and returns once each partition has a leader. kafkajs's own waiting fails where the broker that it asks has
 * not heard of a topic yet.
 */
export async function createTopics(kafka: Kafka, topics: ITopicConfig[]): Promise<void> {
  const names = topics.map(({ topic }) => topic);
  const admin = kafka.admin();
  await admin.connect();
  const haveLeaders = async () => {
    const { topics: known } = await admin.fetchTopicMetadata({ topics: names });
    return known.every(({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0));
  };
  try {
    await admin.createTopics({ topics, waitForLeaders: false });
    const isReady = () => haveLeaders().catch(() => false);
    await eventually(isReady, (ready) => ready, `leaders of ${names.join(", ")}`, BROKERS_MS);
  } finally {
    await admin.disconnect();
  }
}
