import type { PartitionOffset, RecordPosition, TopicPartition } from "../../../kernel/stream.ts";
import { areOther } from "./commit-metadata.ts";
import type { PartitionOffsets } from "./group-offsets.ts";

/** The position at which a group goes on to read a partition. */
export interface StartingPoint extends RecordPosition {
  /** The committed offset, where the records from there up to `offset` are gone. */
  readonly lostFrom?: number;
  /** The partition that is read again from its first record on, since its log is another one. */
  readonly recreated?: Recreated;
  /** The report, where the log lost read records. */
  readonly truncated?: Truncated;
}

/**
 * A partition with a log that ended before the read position when its leader began. It may hold other records from
 * there on.
 */
export interface Truncated extends TopicPartition {
  /** The read position in the previous log. */
  readonly readTo: number;
  /** The first offset at which the log may differ. */
  readonly cutAt: number;
  /** The offset from which it is read. */
  readonly from: number;
}

/** A partition with a log that differs from the one that was read: its topic was recreated, or its log was cut. */
export interface Recreated extends TopicPartition {
  readonly oldId: string | undefined;
  readonly newId: string | undefined;
  /** The read position in the previous log, as far as it is known. */
  readonly readTo: number | undefined;
  /** The first record of the present log, from which it is read. */
  readonly from: number;
}

/** The progress of a process in a partition. */
export interface ReadBefore {
  /** The id of the topic that was read. Undefined: no topic was read, or it has no id. */
  readonly topicId: string | undefined;
  /** The offset that was to be read next, if any. */
  readonly next: number | undefined;
  /** Whether the log is known to end before `next`. */
  readonly isCut: boolean;
  /** The offset up to which the present log holds the read records; absent where it is unknown. */
  readonly agreesUntil?: number | undefined;
}

/** The brokers' report about a partition. */
export interface LogFacts extends PartitionOffsets {
  /** The offset up to which the log holds the committed records; absent where it is unknown. */
  readonly agreesUntil?: number | undefined;
}

/** Whether a commit refers to an earlier topic with the same name. A commit without a topic id is trusted. */
export function isOfOtherTopic({ committedId, topicId }: Pick<PartitionOffsets, "committedId" | "topicId">): boolean {
  return areOther(committedId, topicId);
}

/**
 * The position at which a group goes on to read a partition: its commit, or the first present record. It is the first
 * record, too, when the commit belongs to an earlier topic with this name, or to a log that was cut. The earlier reads
 * of this process are checked in the same way. When the log is known to lack committed records, reading begins before
 * the missing ones.
 */
export function beginningOf(at: TopicPartition, log: LogFacts, before: ReadBefore): StartingPoint {
  const { topic, partition } = at;
  const { committed, committedId, topicId, earliest, mirroredFrom } = log;
  const isOtherCommit = isOfOtherTopic(log) || before.isCut;
  const isOtherLog =
    before.isCut || areOther(before.topicId ?? (committed === undefined ? undefined : committedId), topicId);
  const isAnew = isOtherLog || isReadCut(before);
  if (committed !== undefined && !isOtherCommit) {
    const until = holdsUntil(committed, log, before);
    const offset = Math.min(committed, until ?? committed);
    // A member's metadata refers to offsets in the log that it read. Offsets in a mirrored log differ.
    const metadata = mirroredFrom === undefined ? log.metadata : "";
    const told = isOtherLog ? undefined : truncated(at, offset, until, log, before);
    const place = {
      topic,
      partition,
      metadata,
      ...(isAnew ? { isAnew } : {}),
      ...(until === undefined ? {} : { agreesUntil: until }),
      ...(told === undefined ? {} : { truncated: told }),
    };
    return offset >= earliest ? { ...place, offset } : { ...place, offset: earliest, lostFrom: offset };
  }
  const first = { topic, partition, offset: earliest };
  if (!isAnew) return first;
  if (!isOtherLog) return { ...first, isAnew, ...optional(truncated(at, earliest, undefined, log, before)) };
  const oldId = before.topicId ?? committedId;
  const readTo = before.next ?? committed;
  return { ...first, isAnew, recreated: { topic, partition, oldId, newId: topicId, readTo, from: earliest } };
}

/** Whether the log lost records that were read here. */
function isReadCut({ next, agreesUntil }: ReadBefore): boolean {
  return next !== undefined && agreesUntil !== undefined && agreesUntil < next;
}

/**
 * The offset up to which the log holds the committed records. A commit without epochs counts as one of the records that
 * were read here.
 */
function holdsUntil(committed: number, log: LogFacts, before: ReadBefore): number | undefined {
  if (log.agreesUntil !== undefined) return log.agreesUntil;
  return isReadCut(before) && committed <= (before.next ?? 0) ? before.agreesUntil : undefined;
}

/** Reported once: without a commit in the new log, each generation begins behind its cut. */
function truncated(
  { topic, partition }: TopicPartition,
  from: number,
  until: number | undefined,
  { committed = 0 }: LogFacts,
  before: ReadBefore,
): Truncated | undefined {
  const { next, agreesUntil } = before;
  if (next !== undefined && !isReadCut(before)) return undefined;
  const cutAt = next === undefined ? until : agreesUntil;
  const readTo = next ?? committed;
  if (cutAt === undefined || cutAt >= readTo) return undefined;
  return { topic, partition, readTo, cutAt, from };
}

function optional(truncated: Truncated | undefined): { readonly truncated?: Truncated } {
  return truncated === undefined ? {} : { truncated };
}

/** The position that the handler receives: the committed offset, even where its records are gone. */
export function positionOf({
  topic,
  partition,
  offset,
  lostFrom,
  metadata,
  isAnew,
  agreesUntil,
}: StartingPoint): RecordPosition {
  return {
    topic,
    partition,
    offset: lostFrom ?? offset,
    ...(metadata === undefined ? {} : { metadata }),
    ...(isAnew === undefined ? {} : { isAnew }),
    ...(agreesUntil === undefined ? {} : { agreesUntil }),
  };
}

/**
 * The state of a log that was read up to `at`: the position to go on from, "another" for another log, or "truncated"
 * for a log that lost read records.
 */
export type GoOn = StartingPoint | "another" | "truncated";

/** The known facts about the log that was read. */
export interface GoOnFrom {
  readonly topicId: string | undefined;
  /** Whether an end before `at` is believed: a new leader may not know its end yet. */
  readonly isCertain: boolean;
  /** The offset up to which the log holds the read records; absent where it is unknown. */
  readonly agreesUntil?: number | undefined;
}

/**
 * The position to go on from after `at`, given the present log.
 *
 * @throws while the position is unknown.
 */
export function goOn(
  at: PartitionOffset,
  log: PartitionOffsets | undefined,
  { topicId, isCertain, agreesUntil }: GoOnFrom,
): GoOn {
  const { topic, partition, offset } = at;
  const what = `${topic}/${partition} cannot be read on from ${offset}`;
  if (log === undefined) throw new Error(`${what}: the brokers do not know it`);
  if (areOther(topicId, log.topicId)) return "another";
  if (agreesUntil !== undefined && agreesUntil < offset) return "truncated";
  // A leader with all read records may still learn how many of them its replicas hold. Until then it reports an earlier
  // end.
  if (agreesUntil === undefined && log.end < offset) {
    if (isCertain) return "another";
    throw new Error(`${what}: its log ends at ${log.end}, as far as the brokers know`);
  }
  if (log.earliest <= offset) return { topic, partition, offset };
  return { topic, partition, offset: log.earliest, lostFrom: offset };
}
