import type { ITopicConfig, Kafka } from "kafkajs";
import { BROKERS_MS, eventually } from "../support/eventually.ts";

/**
 * Creates topics, and returns once the leader of each partition accepts requests. A broker learns that it leads a new
 * partition after the metadata reports it, and kafkajs does not retry a refusal. kafkajs's own wait fails at a broker
 * that does not know a topic yet.
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

/** It uses a separate connection, because a connection keeps the first leaders that it saw. */
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
