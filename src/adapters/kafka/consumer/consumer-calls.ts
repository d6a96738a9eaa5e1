import type { ConsumerCommitOffsetsEvent, ConsumerGroupJoinEvent, EachBatchPayload, KafkaMessage } from "kafkajs";
import type { Commit, GroupHandler, PartitionOffset, TopicPartition } from "../../../kernel/stream.ts";
import { encodeCommitMetadata, type TopicIds } from "../offsets/commit-metadata.ts";
import { type EpochStart, epochsToCommit } from "../offsets/log-truncation.ts";
import type { PassedHeaders } from "./passed-headers.ts";
import { streamRecord } from "./stream-record.ts";

/** Partitions in the form of kafkajs. */
export function byTopic(at: readonly TopicPartition[]): { topic: string; partitions: number[] }[] {
  const topics = Map.groupBy(at, ({ topic }) => topic);
  return Array.from(topics, ([topic, each]) => ({ topic, partitions: each.map(({ partition }) => partition) }));
}

/** The partitions that the group assigned to a member. */
export function assignedIn({ memberAssignment }: ConsumerGroupJoinEvent["payload"]): readonly TopicPartition[] {
  return Object.entries(memberAssignment).flatMap(([topic, partitions]) =>
    partitions.map((partition) => ({ topic, partition })),
  );
}

/** The offsets of a member's commit that a broker accepted. */
export function committedIn({ topics }: ConsumerCommitOffsetsEvent["payload"]): readonly PartitionOffset[] {
  return topics.flatMap(({ topic, partitions }) =>
    partitions.map(({ partition, offset }) => ({ topic, partition: Number(partition), offset: Number(offset) })),
  );
}

/** A commit of a member in the form of kafkajs. @param read the leader epochs of the read records, ascending. */
export function commitOf(
  { topic, partition, offset, metadata = "" }: Commit,
  ids: TopicIds,
  read: readonly EpochStart[],
) {
  const text = encodeCommitMetadata({ ...ids, epochs: epochsToCommit(read, offset), metadata });
  return { topic, partition, offset: String(offset), metadata: text };
}

/** Records that are delivered at once: a handler with room for a part of a fetch accepts that part. Chosen. */
const PIECE = 20;

/** Delivers a fetch. @returns the last accepted record. The records after it are fetched again. */
export function handIn(
  { batch, isStale }: EachBatchPayload,
  handler: GroupHandler,
  headers: PassedHeaders,
): KafkaMessage | undefined {
  let last: KafkaMessage | undefined;
  for (let from = 0; from < batch.messages.length && !isStale(); from += PIECE) {
    const piece = batch.messages.slice(from, from + PIECE);
    if (!handler.delivered(piece.map((message) => streamRecord(batch, message, headers)))) break;
    last = piece.at(-1);
  }
  return last;
}
