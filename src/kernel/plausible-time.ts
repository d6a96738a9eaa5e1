/**
 * The first block of a screened chain, Unix milliseconds. No event is older. A smaller number is in seconds or has no
 * meaning.
 */
const FIRST_BLOCK = Date.UTC(2009, 0, 3);

/**
 * A time from outside when it is plausible. Producers write -1, 0, seconds, microseconds, and future times.
 *
 * @param ms Unix milliseconds, as they were written.
 * @param now Unix milliseconds.
 * @returns undefined for a time without meaning.
 */
export function plausibleTime(ms: number, now: number): number | undefined {
  return ms >= FIRST_BLOCK && ms <= now ? ms : undefined;
}
