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
 *
 * @param isOpen whether the service was seen to take more (`Headroom`).
 */
export function minTimeMs({ requests, windowMs }: Quota, processes = 1, isOpen = false): number {
  const safe = Math.max(requests - processes, requests / 2);
  const open = OPEN * requests;
  return windowMs / (isOpen && open > WORTH * safe ? open : safe);
}
