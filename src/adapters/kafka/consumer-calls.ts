import type { ConsumerCommitOffsetsEvent, ConsumerGroupJoinEvent } from "kafkajs";
import type { Commit, PartitionOffset, TopicPartition } from "../../kernel/stream.ts";
import { encodeCommitMetadata, type TopicIds } from "./commit-metadata.ts";
import { type EpochStart, epochsToCommit } from "./log-truncation.ts";

/** Partitions as kafkajs takes them. */
export function byTopic(at: readonly TopicPartition[]): { topic: string; partitions: number[] }[] {
  const topics = Map.groupBy(at, ({ topic }) => topic);
  return Array.from(topics, ([topic, each]) => ({ topic, partitions: each.map(({ partition }) => partition) }));
}

/** What the group gave to a member. */
export function assignedIn({ memberAssignment }: ConsumerGroupJoinEvent["payload"]): readonly TopicPartition[] {
  return Object.entries(memberAssignment).flatMap(([topic, partitions]) =>
    partitions.map((partition) => ({ topic, partition })),
  );
}

/** What a broker took of a member's commit. */
export function committedIn({ topics }: ConsumerCommitOffsetsEvent["payload"]): readonly PartitionOffset[] {
  return topics.flatMap(({ topic, partitions }) =>
    partitions.map(({ partition, offset }) => ({ topic, partition: Number(partition), offset: Number(offset) })),
  );
}

/** A commit of a member as kafkajs takes it. @param read the leader epochs of what the member read, ascending. */
export function commitOf(
  { topic, partition, offset, metadata = "" }: Commit,
  ids: TopicIds,
  read: readonly EpochStart[],
) {
  const text = encodeCommitMetadata({ ...ids, epochs: epochsToCommit(read, offset), metadata });
  return { topic, partition, offset: String(offset), metadata: text };
}
