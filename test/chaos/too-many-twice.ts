import { defaultBounds } from "../../src/worker/offsets/lane-bounds.ts";
import type { Judgement } from "./judge.ts";

/** What a run was that makes verdicts come twice. */
export interface Disturbed {
  readonly events: number;
  /** Starts of workers (each follows an end, but for the first ones), restarts of brokers and faults of the network before them. */
  readonly disturbances: number;
  /** The topic of the lane whose span is small; the other is a backfill. */
  readonly live: string;
  /** Most that one disturbance may make come twice; by default as many as the full runs allow. */
  readonly each?: number;
}

/**
 * Most verdicts that one disturbance may make come twice, over a whole run and all partitions: as many as are settled between
 * two commits. One that keeps the group's broker away makes more, and most make none: full runs had 113 to 372
 * (docs/proof.md).
 */
const A_DISTURBANCE = 500;

/**
 * What is beyond the bounds for verdicts that come twice. Of all: so many for each disturbance, and no more than there are
 * events. Of the records of one partition: a span for each disturbance, since more is never taken in past a commit, and no more
 * than it has verdicts; the worst of full runs had 0.55 for each.
 */
export function tooManyTwice(
  { duplicates, worstPartition: worst }: Pick<Judgement, "duplicates" | "worstPartition">,
  { events, disturbances, live, each = A_DISTURBANCE }: Disturbed,
): readonly string[] {
  const { span } = defaultBounds[worst.name.startsWith(`${live}/`) ? "realtime" : "backfill"];
  const most = Math.min(events, disturbances * each);
  const mostOfOne = Math.min(worst.verdicts, disturbances * span);
  const faults: string[] = [];
  if (duplicates > most) faults.push(`${duplicates} verdicts came twice, and ${most} may`);
  if (worst.duplicates > mostOfOne) {
    faults.push(`${worst.duplicates} verdicts came twice for ${worst.name}, and ${mostOfOne} may`);
  }
  return faults;
}

/** Verdicts an event, without copies, while a backlog is caught up with and the service answers. */
const AN_EVENT = 1.05;

/** What is beyond that: events that were UNKNOWN for now, though their answers were on their way. */
export function tooManyAnEvent(
  { verdicts, duplicates }: { readonly verdicts: number; readonly duplicates: number },
  events: number,
): readonly string[] {
  const ratio = (verdicts - duplicates) / events;
  return ratio <= AN_EVENT ? [] : [`${ratio.toFixed(3)} verdicts an event, and ${AN_EVENT} may be`];
}
