/** Factor for a rate that drew one random 429. */
const UNTOLD = 0.985;
/**
 * Where each 429 costs a pause, more pauses reduce the rate further. The factor is this root of the share of the time
 * without a pause: 0.99 after 30 s and 0.93 after 3 s without a pause of 1 s. Chosen by simulation: with the square
 * root, the rate of windows fell too far. With 0.985 each time, a bucket of 5 at 10 per second had too fast a pace for
 * a minute.
 */
const TOLD_ROOT = 1 / 4;
const TOLD_LEAST = 0.9;

/**
 * Factor for a rate that drew a random 429 or is slightly too fast.
 *
 * @param openMs from the previous opening of the quota until the 429.
 * @param pausedMs from the 429 until the quota accepted requests again.
 * @param isTold whether the service said how long to wait.
 */
export function correction(openMs: number, pausedMs: number, isTold: boolean): number {
  return isTold ? Math.max(TOLD_LEAST, (1 + pausedMs / openMs) ** -TOLD_ROOT) : UNTOLD;
}
