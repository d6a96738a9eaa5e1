import type { PartitionOffset, TopicPartition } from "../../kernel/stream.ts";
import { askOffsets, type OffsetClient, type PartitionOffsets } from "./group-offsets.ts";

/** Where a group goes on reading a partition. */
export interface StartingPoint extends PartitionOffset {
  /** What the group had committed, where its records from there on up to `offset` are gone. */
  readonly lostFrom?: number;
  /** The word that was committed with it, or with `lostFrom`. */
  readonly metadata?: string;
}

/**
 * Where a group goes on reading, partition by partition: at what it committed, or at the first record that there is.
 *
 * A commit past the end of the log is taken at its word: a leader that has just begun may not know its end yet.
 *
 * @throws when the brokers do not say, for all of them.
 */
export async function startingPoints(
  client: OffsetClient,
  groupId: string,
  partitions: readonly TopicPartition[],
): Promise<readonly StartingPoint[]> {
  const topics = [...new Set(partitions.map(({ topic }) => topic))];
  const found = new Map(
    await Promise.all(topics.map(async (topic) => [topic, await askOffsets(client, groupId, topic)] as const)),
  );
  return partitions.map(({ topic, partition }) => {
    const stands = found.get(topic)?.get(partition);
    if (stands === undefined) throw new Error(`the brokers did not say where ${topic}/${partition} begins`);
    const { committed, earliest, metadata } = stands;
    // Past the end, too, which a new leader may not know yet.
    if (committed === undefined) return { topic, partition, offset: earliest };
    if (committed >= earliest) return { topic, partition, offset: committed, metadata };
    return { topic, partition, offset: earliest, lostFrom: committed, metadata };
  });
}

const REMEDY = "the topic was made anew or its log cut; if so, stop the group and reset its offsets to the earliest";

/**
 * Where to read on that stood at `at`, now that its log is this.
 *
 * @throws when the log ends before that: then it is another log.
 */
export function goOn(at: PartitionOffset, log: PartitionOffsets | undefined): StartingPoint {
  const { topic, partition, offset } = at;
  const what = `${topic}/${partition} cannot be read on from ${offset}`;
  if (log === undefined) throw new Error(`${what}: the brokers do not know it`);
  if (log.end < offset) throw new Error(`${what}: its log ends at ${log.end}: ${REMEDY}`);
  if (log.earliest <= offset) return { topic, partition, offset };
  return { topic, partition, offset: log.earliest, lostFrom: offset };
}
