import type { PartitionOffset, RecordPosition, TopicPartition } from "../../../kernel/stream.ts";
import { areOther } from "./commit-metadata.ts";
import type { PartitionOffsets } from "./group-offsets.ts";

/** Where a group goes on reading a partition. */
export interface StartingPoint extends RecordPosition {
  /** What the group had committed, where its records from there on up to `offset` are gone. */
  readonly lostFrom?: number;
  /** What is read again from its first record on, since it is another log. */
  readonly recreated?: Recreated;
}

/** A partition whose log is not the one that was read: its topic was made anew, or its log cut. */
export interface Recreated extends TopicPartition {
  readonly oldId: string | undefined;
  readonly newId: string | undefined;
  /** How far the log before was read, as far as is known. */
  readonly readTo: number | undefined;
  /** The first record of the log that is there: it is read from here. */
  readonly from: number;
}

/** What a process has read of a partition so far. */
export interface ReadBefore {
  /** The id of the topic that was read; undefined: none was, or it has none. */
  readonly topicId: string | undefined;
  /** The offset that was to be read next, if any was. */
  readonly next: number | undefined;
  /** Whether that log is known to end before `next` by now. */
  readonly isCut: boolean;
}

/** Whether a commit speaks of a topic that had this name before. One that names no topic is taken at its word. */
export function isOfOtherTopic({ committedId, topicId }: Pick<PartitionOffsets, "committedId" | "topicId">): boolean {
  return areOther(committedId, topicId);
}

/**
 * Where a group goes on reading a partition: at what it committed, or at the first record that there is; and there as well
 * when what was committed, or read here, is of a topic that had this name before, or of a log that was cut.
 */
export function beginningOf(at: TopicPartition, log: PartitionOffsets, before: ReadBefore): StartingPoint {
  const { topic, partition } = at;
  const { committed, committedId, topicId, earliest, mirroredFrom } = log;
  const isOtherCommit = isOfOtherTopic(log) || before.isCut;
  const isAnew =
    before.isCut || areOther(before.topicId ?? (committed === undefined ? undefined : committedId), topicId);
  if (committed !== undefined && !isOtherCommit) {
    // A member's word is of offsets in the log that it read: those of a mirrored one are others.
    const metadata = mirroredFrom === undefined ? log.metadata : "";
    const place = { topic, partition, metadata, ...(isAnew ? { isAnew } : {}) };
    if (committed >= earliest) return { ...place, offset: committed };
    return { ...place, offset: earliest, lostFrom: committed };
  }
  const first = { topic, partition, offset: earliest };
  if (!isAnew) return first;
  const oldId = before.topicId ?? committedId;
  const readTo = before.next ?? committed;
  return { ...first, isAnew, recreated: { topic, partition, oldId, newId: topicId, readTo, from: earliest } };
}

/** What is told of it to whoever reads: where the group stands, though that be gone. */
export function positionOf({ topic, partition, offset, lostFrom, metadata, isAnew }: StartingPoint): RecordPosition {
  return {
    topic,
    partition,
    offset: lostFrom ?? offset,
    ...(metadata === undefined ? {} : { metadata }),
    ...(isAnew === undefined ? {} : { isAnew }),
  };
}

/** What has become of a log that was read up to `at`: where to read on, or that it is another one. */
export type GoOn = StartingPoint | "another";

/**
 * Where to read on that stood at `at`, now that its log is this.
 *
 * @param isCertain whether an end before `at` is believed: a leader that has just begun may not know its end yet.
 * @throws while that is not known.
 */
export function goOn(
  at: PartitionOffset,
  log: PartitionOffsets | undefined,
  { topicId, isCertain }: { readonly topicId: string | undefined; readonly isCertain: boolean },
): GoOn {
  const { topic, partition, offset } = at;
  const what = `${topic}/${partition} cannot be read on from ${offset}`;
  if (log === undefined) throw new Error(`${what}: the brokers do not know it`);
  if (areOther(topicId, log.topicId)) return "another";
  if (log.end < offset) {
    if (isCertain) return "another";
    throw new Error(`${what}: its log ends at ${log.end}, as far as the brokers know`);
  }
  if (log.earliest <= offset) return { topic, partition, offset };
  return { topic, partition, offset: log.earliest, lostFrom: offset };
}
