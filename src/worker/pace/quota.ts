/** Requests that a key may make in any window of this length, as its owner was told. */
export interface Quota {
  readonly requests: number;
  readonly windowMs: number;
}

/**
 * How far apart the requests of one key must come, milliseconds with fractions, all of its `processes` together:
 * W / max(Q - N, Q / 2). With one fewer than Q for each process, no sliding window holds more than Q however the windows
 * of the service lie; and a key that many share is never paced below half of what it may.
 */
export function minTimeMs({ requests, windowMs }: Quota, processes = 1): number {
  return windowMs / Math.max(requests - processes, requests / 2);
}
