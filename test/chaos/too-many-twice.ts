import { defaultBounds } from "../../src/worker/offsets/lane-bounds.ts";
import type { Judgement } from "./judge.ts";

/** The disturbances of a run that cause duplicate verdicts. */
export interface Disturbed {
  readonly events: number;
  /**
   * Starts of workers, restarts of brokers and network faults in front of the brokers. Each start follows an end,
   * except for the first ones.
   */
  readonly disturbances: number;
  /** The topic of the lane with the small span; the other lane is a backfill. */
  readonly live: string;
  /** Most duplicates for one disturbance; by default the limit of the full runs. */
  readonly each?: number;
}

/**
 * Most duplicate verdicts for one disturbance, over a whole run and all partitions: the completions between two
 * commits. A disturbance of the group's broker causes more, and most cause none: full runs had 113 to 372
 * (bench/results/proof.md).
 */
const A_DISTURBANCE = 500;

/**
 * The excess of duplicate verdicts. The limit of all verdicts is a number for each disturbance, and at most the number
 * of events. The limit of one partition is a span for each disturbance, and at most its number of verdicts. A consumer
 * never reads further than a span past a commit. The worst of the full runs had 0.55 for each.
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

/** Verdicts an event, without copies, during catch-up while the service answers. */
const AN_EVENT = 1.05;

/** The excess over that ratio: events with a provisional UNKNOWN although their answers were on the way. */
export function tooManyAnEvent(
  { verdicts, duplicates }: { readonly verdicts: number; readonly duplicates: number },
  events: number,
): readonly string[] {
  const ratio = (verdicts - duplicates) / events;
  return ratio <= AN_EVENT ? [] : [`${ratio.toFixed(3)} verdicts an event, and ${AN_EVENT} may be`];
}
