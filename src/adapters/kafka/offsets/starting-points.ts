import type { PartitionOffset, RecordPosition, TopicPartition } from "../../../kernel/stream.ts";
import { areOther } from "./commit-metadata.ts";
import type { PartitionOffsets } from "./group-offsets.ts";

/** Where a group goes on reading a partition. */
export interface StartingPoint extends RecordPosition {
  /** What the group had committed, where its records from there on up to `offset` are gone. */
  readonly lostFrom?: number;
  /** What is read again from its first record on, since it is another log. */
  readonly recreated?: Recreated;
  /** What is told, where the log lost what was read of it. */
  readonly truncated?: Truncated;
}

/** A partition whose log ended before what was read when its leader began: it may hold other records from there on. */
export interface Truncated extends TopicPartition {
  /** How far the log before was read. */
  readonly readTo: number;
  /** The first offset at which the log may differ. */
  readonly cutAt: number;
  /** It is read from here. */
  readonly from: number;
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
  /** How far the log that is there holds what was read; absent where that is not known. */
  readonly agreesUntil?: number | undefined;
}

/** What the brokers say of a partition. */
export interface LogFacts extends PartitionOffsets {
  /** How far the log holds what was committed; absent where that is not known. */
  readonly agreesUntil?: number | undefined;
}

/** Whether a commit speaks of a topic that had this name before. One that names no topic is taken at its word. */
export function isOfOtherTopic({ committedId, topicId }: Pick<PartitionOffsets, "committedId" | "topicId">): boolean {
  return areOther(committedId, topicId);
}

/**
 * Where a group goes on reading a partition: at what it committed, or at the first record that there is; and there as well
 * when what was committed, or read here, is of a topic that had this name before, or of a log that was cut. Where it is known
 * how far the log holds what was committed, it goes on there at the latest.
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
    // A member's word is of offsets in the log that it read: those of a mirrored one are others.
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

/** Whether the log lost some of what was read here. */
function isReadCut({ next, agreesUntil }: ReadBefore): boolean {
  return next !== undefined && agreesUntil !== undefined && agreesUntil < next;
}

/** How far the log holds what was committed: a commit that names no epochs is of what was read here, up to there. */
function holdsUntil(committed: number, log: LogFacts, before: ReadBefore): number | undefined {
  if (log.agreesUntil !== undefined) return log.agreesUntil;
  return isReadCut(before) && committed <= (before.next ?? 0) ? before.agreesUntil : undefined;
}

/** Told once: until something is committed in the new log, each generation begins behind its cut. */
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

/** What is told of it to whoever reads: where the group stands, though that be gone. */
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
 * What has become of a log that was read up to `at`: where to read on, or that it is another one, or that it lost some of what
 * was read.
 */
export type GoOn = StartingPoint | "another" | "truncated";

/** What is known of the log that was read. */
export interface GoOnFrom {
  readonly topicId: string | undefined;
  /** Whether an end before `at` is believed: a leader that has just begun may not know its end yet. */
  readonly isCertain: boolean;
  /** How far the log holds what was read; absent where that is not known. */
  readonly agreesUntil?: number | undefined;
}

/**
 * Where to read on that stood at `at`, now that its log is this.
 *
 * @throws while that is not known.
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
  // A leader that holds all that was read may still learn how much of it others hold: only then it tells of that end.
  if (agreesUntil === undefined && log.end < offset) {
    if (isCertain) return "another";
    throw new Error(`${what}: its log ends at ${log.end}, as far as the brokers know`);
  }
  if (log.earliest <= offset) return { topic, partition, offset };
  return { topic, partition, offset: log.earliest, lostFrom: offset };
}
