/** The first block of a chain that is screened: no event is older. A smaller number counts seconds, or says nothing. */
const FIRST_BLOCK = Date.UTC(2009, 0, 3);

/**
 * A time from outside, where it can be counted from. Producers write -1, 0, seconds, microseconds, and times to come.
 *
 * @param ms Unix milliseconds, as they were written.
 * @param now Unix milliseconds.
 * @returns undefined for a time that means nothing.
 */
export function plausibleTime(ms: number, now: number): number | undefined {
  return ms >= FIRST_BLOCK && ms <= now ? ms : undefined;
}
