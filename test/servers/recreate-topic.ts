import type { Kafka } from "kafkajs";
import { eventually } from "../support/eventually.ts";
import { createTopics } from "./create-topics.ts";

/** Deletes topics, and returns once no broker knows them any more. */
export async function deleteTopics(kafka: Kafka, topics: readonly string[]): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    await admin.deleteTopics({ topics: [...topics] });
    await eventually(
      () => admin.listTopics(),
      (found) => topics.every((topic) => !found.includes(topic)),
      "the topics to be gone",
    );
  } finally {
    await admin.disconnect();
  }
}

/** Deletes a topic and creates another one with its name. */
export async function recreateTopic(kafka: Kafka, topic: string, partitions = 1): Promise<void> {
  await deleteTopics(kafka, [topic]);
  await createTopics(kafka, [{ topic, numPartitions: partitions }]);
}
