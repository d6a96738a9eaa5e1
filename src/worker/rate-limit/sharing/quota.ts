import { CLOSEST, type Closeness, type Headroom } from "./headroom.ts";

/** Requests that a key may make in any window of this length, according to its provider. */
export interface Quota {
  readonly requests: number;
  readonly windowMs: number;
}

/** Share of the quota that is used where there is headroom, and the smallest gain that is worth a try. */
const OPEN = 0.99;
const WORTH = 1.015;

/**
 * Smallest gap between the requests of one key, milliseconds with fractions, for all its `processes` together: W /
 * max(Q - N, Q / 2). With one request less than Q for each process, no sliding window holds more than Q requests. The
 * phase of the service's windows does not matter. A key with many processes is never paced below half of its quota.
 */
export function minTimeMs({ requests, windowMs }: Quota, processes = 1): number {
  return windowMs / Math.max(requests - processes, requests / 2);
}

/**
 * Smallest gap between the requests of a process that has the quota for itself, in milliseconds.
 *
 * @param alone how far the process goes (`Headroom`). 0: the safe pace of `minTimeMs`. 1: the whole quota in slightly
 *   more than a window. 2: nearly the whole quota in a window.
 */
export function aloneMinTimeMs(quota: Quota, alone: Closeness): number {
  const { requests, windowMs } = quota;
  const safe = minTimeMs(quota);
  if (alone === 2) return WORTH * windowMs < OPEN * requests * safe ? windowMs / (OPEN * requests) : safe;
  const span = alone === 1 ? worthwhileSpanMs(quota, 1, CLOSEST) : undefined;
  return span === undefined ? safe : span / requests;
}

/**
 * Smallest gap between the requests of one key, in milliseconds, over all processes that share it.
 *
 * @param members processes that share the key, as far as known. 0: no statement was read yet, and room is left for
 *   another process.
 */
export function keyMinTimeMs(quota: Quota, members: number, headroom: Pick<Headroom, "alone" | "closeness">): number {
  if (members === 1) return aloneMinTimeMs(quota, headroom.alone);
  const several = Math.max(2, members);
  const span = spanMs(quota, several, headroom.closeness);
  return span === undefined ? minTimeMs(quota, several) : span / quota.requests;
}

/** How much closer together requests may arrive than they were sent, in milliseconds. */
const EARLY_MS = 20;

/**
 * Longest window, in milliseconds, for shares in whole requests. In a longer window, requests from before a change of
 * shares count for long. Whole shares would then exceed the quota by a request or two at each change. They gain nothing
 * where a window holds hundreds of requests.
 */
const LONGEST_WHOLE_MS = 2_000;

/**
 * The time in which several processes together may send the quota so that no window holds more. It is slightly longer
 * than a window, in milliseconds. Undefined: the processes would gain nothing over `minTimeMs`, or the window is too
 * long.
 *
 * @param closeness 2: as close as requests arrive when all goes well. 1: each request may be late by the gap of a
 *   process with the whole quota. 0: never.
 */
export function spanMs(quota: Quota, processes: number, closeness: Closeness): number | undefined {
  return processes > quota.requests / 2 ? undefined : worthwhileSpanMs(quota, processes, closeness);
}

/**
 * As `spanMs`, for processes that take no turns. The process that sends the next request then knows the last request in
 * the window.
 */
function worthwhileSpanMs(quota: Quota, processes: number, closeness: Closeness): number | undefined {
  const { requests, windowMs } = quota;
  if (closeness === 0 || windowMs > LONGEST_WHOLE_MS) return undefined;
  const span = windowMs + (closeness === 2 ? EARLY_MS : Math.max(2 * EARLY_MS, windowMs / (requests - 1)));
  return requests / span > WORTH / minTimeMs(quota, processes) ? span : undefined;
}
