import { RatePhases, type Reopened } from "../../../../../../src/worker/rate-limit/learner/rate-phases.ts";

export const learned = { perSecond: 20, burst: 0, windowMs: 1_000 };
export const known = (own: Partial<typeof learned> = {}) => new RatePhases({ ...learned, ...own });
export const opening = (at: number, taken = 0) => ({ at, unsureMs: 0, taken });

export interface Reopening {
  /** When the first refused request was sent. */
  readonly from: number;
  readonly at: number;
  readonly taken: number;
  readonly before: Reopened["before"];
  readonly refusals: number;
  readonly isTold: boolean;
}

/** A 429 at `from`. At `at` a request is accepted again, which is known 20 ms later. */
export function reopen(
  phases: RatePhases,
  { from, at, taken, ...own }: Partial<Reopening> & Pick<Reopening, "from" | "at">,
) {
  const { before = opening(Number.NEGATIVE_INFINITY), refusals = 1, isTold = false } = own;
  const count = taken ?? 0;
  const usedUp = { begunAt: from, refusals };
  phases.opened({ usedUp, opening: opening(at, count), before, at, now: at + 20, taken: count, isTold });
}

export function send(phases: RatePhases, times: readonly number[], taken = 0): void {
  for (const at of times) {
    phases.sent(at, taken, "backfill");
    phases.judged(at);
  }
}

export const evenly = (from: number, count: number, gapMs: number) =>
  Array.from({ length: count }, (_, i) => from + gapMs * i);

/** The requests were sent after any current period began. */
export function take(phases: RatePhases, count: number): void {
  for (let i = 0; i < count; i++) phases.taken(Number.POSITIVE_INFINITY);
}

/** Number of requests until a probe, after the shortest time between probes. */
export function requestsUntilProbe(phases: RatePhases, now: number): number {
  for (let count = 1; count < 1_000; count++) {
    phases.taken(now);
    phases.advance(now, now, 0);
    if (phases.is === "probing") return count;
  }
  return Number.POSITIVE_INFINITY;
}
