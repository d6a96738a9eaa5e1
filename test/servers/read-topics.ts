import type { Kafka } from "kafkajs";
import { BROKERS_MS, eventually } from "../support/eventually.ts";
import { freshName } from "./records.ts";

/**
 * Passes `look` every record that the topics hold at the start: key, value and headers as one text.
 *
 * @returns the number of records of each topic.
 */
export async function readTopics(
  kafka: Kafka,
  topics: readonly string[],
  look: (topic: string, text: string) => void,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(topics.map((topic) => [topic, 0]));
  const left = await endsOf(kafka, topics);
  const consumer = kafka.consumer({ groupId: freshName("search"), maxWaitTimeInMs: 100 });
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({
      eachBatch: async ({ batch }) => {
        const { topic, partition } = batch;
        for (const { key, value, headers = {} } of batch.messages) {
          const shown = Object.entries(headers).map(([name, each]) => `${name}: ${String(each)}`);
          look(topic, [String(key), ...shown, String(value)].join("\n"));
          counts.set(topic, (counts.get(topic) ?? 0) + 1);
        }
        const at = `${topic}/${partition}`;
        if (Number(batch.lastOffset()) + 1 >= (left.get(at) ?? 0)) left.delete(at);
      },
    });
    await eventually(
      () => [...left.keys()],
      ({ length }) => length === 0,
      "partitions that are not read to their end",
      BROKERS_MS,
    );
    return counts;
  } finally {
    await consumer.disconnect();
  }
}

/** The end of each non-empty partition, by topic/partition. */
async function endsOf(kafka: Kafka, topics: readonly string[]): Promise<Map<string, number>> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const ends = new Map<string, number>();
    for (const topic of topics) {
      for (const { partition, low, high } of await admin.fetchTopicOffsets(topic))
        if (Number(high) > Number(low)) ends.set(`${topic}/${partition}`, Number(high));
    }
    return ends;
  } finally {
    await admin.disconnect();
  }
}
