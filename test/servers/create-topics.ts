import type { ITopicConfig, Kafka } from "kafkajs";
import { BROKERS_MS, eventually } from "../support/eventually.ts";

/**
 * Creates topics, and returns once the leader of each partition answers for it. A broker learns that it leads a new partition
 * after the metadata says so, and kafkajs does not try again when that broker denies it. kafkajs's own waiting fails where the
 * broker that it asks has not heard of a topic yet.
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
    const answers = () => leadersAnswer(kafka, names).catch(() => false);
    await eventually(answers, (ready) => ready, `answers of the leaders of ${names.join(", ")}`, BROKERS_MS);
  } finally {
    await admin.disconnect();
  }
}

/** Over a connection of its own, because a connection keeps the leaders that it saw first. */
async function leadersAnswer(kafka: Kafka, names: readonly string[]): Promise<boolean> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    for (const name of names) await admin.fetchTopicOffsets(name);
    return true;
  } finally {
    await admin.disconnect();
  }
}
