/** A rate that drew one 429 by chance goes on so much slower. */
const UNTOLD = 0.985;
/**
 * Where each 429 costs a pause, the more of them the slower: this root of the part of the time in which none was paused for,
 * 0.99 after 30 s and 0.93 after 3 s without a pause of one. Chosen by simulation: with the square root windows were taken
 * back too far, and by 0.985 each time a bucket of 5 at 10 a second was too fast for a minute.
 */
const TOLD_ROOT = 1 / 4;
const TOLD_LEAST = 0.9;

/**
 * Of a rate that drew a 429 by chance, or is a little too fast: what to go on at.
 *
 * @param openMs from when the quota was last used up until now. @param pausedMs from then on until it took requests again.
 * @param isTold whether the service said how long to wait.
 */
export function correction(openMs: number, pausedMs: number, isTold: boolean): number {
  return isTold ? Math.max(TOLD_LEAST, (1 + pausedMs / openMs) ** -TOLD_ROOT) : UNTOLD;
}
