import type { Log } from "../../../kernel/log.ts";
import { areOther } from "../offsets/commit-metadata.ts";
import type { Recreated, StartingPoint, Truncated } from "../offsets/starting-points.ts";
import type { LeaderChanges } from "./leader-tracker.ts";
import type { Appearances } from "./topics-read.ts";

/** Logs the topics that vanished, and those that are back. */
export function tellAppearances({ gone, back }: Appearances, log: Log): void {
  for (const topic of gone)
    log.warn("the topic does not exist: Weir skips the topic until the topic exists", { topic });
  for (const topic of back) log.warn("the topic exists again: Weir reads the topic", { topic });
}

/** Logs the partitions without a leader, and those that have one again. */
export function tellLeaders({ gone, back }: LeaderChanges, log: Log): void {
  for (const { topic, partition } of gone)
    log.warn("the partition has no leader: Weir skips the partition until a leader exists", { topic, partition });
  for (const { topic, partition } of back)
    log.warn("the partition has a leader again: Weir reads the partition", { topic, partition });
}

export interface TellDeps {
  readonly log: Log;
  readonly onRecreated?: (at: Recreated) => void;
  readonly onTruncated?: (at: Truncated) => void;
}

/** Logs an unusual starting point of a partition. */
export function tellBeginning({ recreated, truncated }: StartingPoint, deps: TellDeps): void {
  if (recreated !== undefined) tellRecreated(recreated, deps);
  if (truncated !== undefined) tellTruncated(truncated, deps);
}

/** Logs a partition that is read again from its first record on, with the reason. */
function tellRecreated(recreated: Recreated, { log, onRecreated }: TellDeps): void {
  const { topic, partition, oldId, newId, readTo, from } = recreated;
  const what = areOther(oldId, newId)
    ? "the topic was made anew under its name: it is read from its first record on"
    : "the log ends before what was read: it is read again from its first record on";
  log.warn(what, {
    topic,
    partition,
    ...(oldId === undefined ? {} : { oldId }),
    ...(newId === undefined ? {} : { newId }),
    ...(readTo === undefined ? {} : { offset: readTo }),
    from,
  });
  onRecreated?.(recreated);
}

/** Logs a partition with a log that lost read records. */
function tellTruncated(truncated: Truncated, { log, onTruncated }: TellDeps): void {
  const { topic, partition, readTo, cutAt, from } = truncated;
  const what =
    "the new leader of a partition lacks records that were read: their verdicts stand, and what its log holds there is read";
  log.warn(what, { topic, partition, offset: readTo, until: cutAt, from });
  onTruncated?.(truncated);
}

/** Logs lost records, where a partition begins behind some. */
export function tellLost({ topic, partition, offset, lostFrom }: StartingPoint, log: Log): void {
  if (lostFrom === undefined) return;
  const fields = { topic, partition, from: lostFrom, until: offset };
  log.warn("the topic deleted records before Weir read them: raise the retention of the topic", fields);
}
