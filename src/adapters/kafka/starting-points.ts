import type { Admin } from "kafkajs";
import type { PartitionOffset, TopicPartition } from "../../kernel/stream.ts";

/** Where a group goes on reading a partition. */
export interface StartingPoint extends PartitionOffset {
  /** What the group had committed, where its records from there on up to `offset` are gone. */
  readonly lostFrom?: number;
}

/** The part of kafkajs's admin that knows. */
export type OffsetAdmin = Pick<Admin, "connect" | "disconnect" | "fetchOffsets" | "fetchTopicOffsets">;

/**
 * Where a group goes on reading, partition by partition: at what it committed, or at the first record that there is.
 *
 * A commit past the end of the log is taken at its word: a leader that has just begun may not know its end yet.
 *
 * @throws when the brokers do not say, for all of them.
 */
export async function startingPoints(
  kafka: { admin(): OffsetAdmin },
  groupId: string,
  partitions: readonly TopicPartition[],
): Promise<readonly StartingPoint[]> {
  const topics = [...new Set(partitions.map(({ topic }) => topic))];
  const admin = kafka.admin();
  await admin.connect();
  try {
    const committed = await admin.fetchOffsets({ groupId, topics });
    const logs = await Promise.all(
      topics.map(async (topic) => ({ topic, partitions: await admin.fetchTopicOffsets(topic) })),
    );
    return partitions.map(({ topic, partition }) => {
      const of = <T extends { readonly partition: number }>(found: readonly { topic: string; partitions: T[] }[]) =>
        found.find((each) => each.topic === topic)?.partitions.find((each) => each.partition === partition);
      const [commit, first] = [Number(of(committed)?.offset), Number(of(logs)?.low)];
      if (!Number.isSafeInteger(commit) || !Number.isSafeInteger(first)) {
        throw new Error(`the brokers did not say where ${topic}/${partition} begins`);
      }
      if (commit >= first) return { topic, partition, offset: commit };
      // Below zero stands for none at all.
      return { topic, partition, offset: first, ...(commit >= 0 ? { lostFrom: commit } : {}) };
    });
  } finally {
    await admin.disconnect();
  }
}

/** Where a partition's log begins and ends. @throws when the brokers do not say. */
export async function logOf(
  kafka: { admin(): Pick<Admin, "connect" | "disconnect" | "fetchTopicOffsets"> },
  topic: string,
  partition: number,
): Promise<{ readonly low: number; readonly high: number }> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const found = (await admin.fetchTopicOffsets(topic)).find((each) => each.partition === partition);
    if (found === undefined) throw new Error(`the brokers know of no ${topic}/${partition}`);
    return { low: Number(found.low), high: Number(found.high) };
  } finally {
    await admin.disconnect();
  }
}
