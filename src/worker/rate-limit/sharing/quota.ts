import { CLOSEST, type Closeness, type Headroom } from "./headroom.ts";

/** Requests that a key may make in any window of this length, as its owner was told. */
export interface Quota {
  readonly requests: number;
  readonly windowMs: number;
}

/** Of a quota, what is used of it where there is headroom; and how much more that must be to be worth a try. */
const OPEN = 0.99;
const WORTH = 1.015;

/**
 * How far apart the requests of one key must come, milliseconds with fractions, all of its `processes` together:
 * W / max(Q - N, Q / 2). With one fewer than Q for each process, no sliding window holds more than Q however the windows
 * of the service lie; and a key that many share is never paced below half of what it may.
 */
export function minTimeMs({ requests, windowMs }: Quota, processes = 1): number {
  return windowMs / Math.max(requests - processes, requests / 2);
}

/**
 * The same of a process that has the quota for itself.
 *
 * @param alone how far it goes (`Headroom`): 0: that; 1: all of the quota in a little more than a window; 2: nearly all of it in a window.
 */
export function aloneMinTimeMs(quota: Quota, alone: Closeness): number {
  const { requests, windowMs } = quota;
  const safe = minTimeMs(quota);
  if (alone === 2) return WORTH * windowMs < OPEN * requests * safe ? windowMs / (OPEN * requests) : safe;
  const span = alone === 1 ? worthwhileSpanMs(quota, 1, CLOSEST) : undefined;
  return span === undefined ? safe : span / requests;
}

/**
 * How far apart the requests of one key come, milliseconds, with all that share it, as one of them knows it.
 *
 * @param members processes that share it; 0: it has heard nobody yet, and leaves room for another.
 */
export function keyMinTimeMs(quota: Quota, members: number, headroom: Pick<Headroom, "alone" | "closeness">): number {
  if (members === 1) return aloneMinTimeMs(quota, headroom.alone);
  const several = Math.max(2, members);
  const span = spanMs(quota, several, headroom.closeness);
  return span === undefined ? minTimeMs(quota, several) : span / quota.requests;
}

/** How much closer together than they left requests may arrive, milliseconds. */
const EARLY_MS = 20;

/**
 * In windows longer than this, milliseconds, what a process sent before its share changed counts for long after: whole
 * shares would exceed the quota by a request or two at each change, and they gain nothing where a window holds hundreds.
 */
const LONGEST_WHOLE_MS = 2_000;

/**
 * In how much time each of several processes may send so many requests that no window holds more of them: a little longer
 * than a window, milliseconds. Undefined: all of them together would have no more of it than by `minTimeMs`, or a window is too long.
 *
 * @param closeness 2: as closely as they arrive where all goes well; 1: so that each may come late by the slot of one
 * process that has all of the quota; 0: not at all.
 */
export function spanMs(quota: Quota, processes: number, closeness: Closeness): number | undefined {
  return processes > quota.requests / 2 ? undefined : worthwhileSpanMs(quota, processes, closeness);
}

/** The same of processes that take no turns: whose last request a window holds is known to whoever sends the next one. */
function worthwhileSpanMs(quota: Quota, processes: number, closeness: Closeness): number | undefined {
  const { requests, windowMs } = quota;
  if (closeness === 0 || windowMs > LONGEST_WHOLE_MS) return undefined;
  const span = windowMs + (closeness === 2 ? EARLY_MS : Math.max(2 * EARLY_MS, windowMs / (requests - 1)));
  return requests / span > WORTH / minTimeMs(quota, processes) ? span : undefined;
}
