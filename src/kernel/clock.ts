import { setTimeout as delay } from "node:timers/promises";
import { timerIntervals } from "./async.ts";

/** The only way this program learns the time or waits. Milliseconds throughout. */
export interface Clock {
  /** Unix time, milliseconds. For stamps that leave the process. */
  now(): number;
  /** Monotonic milliseconds from an arbitrary origin. For durations and deadlines. */
  ticks(): number;
  /** Resolves after `ms`; rejects with `signal.reason` as soon as `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** RFC 3339 in UTC with milliseconds, from Unix milliseconds. The only place that formats a time for the wire. */
export function timestamp(unixMs: number): string {
  const place = Math.trunc(unixMs) & (RECENT - 1);
  const text = recentTexts[place];
  if (text !== undefined && recentMs[place] === unixMs) return text;
  const written = new Date(unixMs).toISOString();
  recentMs[place] = unixMs;
  recentTexts[place] = written;
  return written;
}

/** The reverse of `timestamp`: Unix milliseconds of its output. NaN for any other text. */
export function unixMs(text: string): number {
  return Date.parse(text);
}

/**
 * Many records share a millisecond, and formatting a time takes longer than the decision on a record. A record has
 * three times (asked, answered, decided), so a cache of one entry would always miss.
 */
const RECENT = 16;
const recentMs: number[] = [];
const recentTexts: string[] = [];

/** The clock of the machine. Only `cli/` chooses it; all other code takes a `Clock`. */
export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  async sleep(ms, signal) {
    try {
      const options = signal === undefined ? {} : { signal };
      for (const piece of timerIntervals(ms)) await delay(piece, undefined, options);
    } catch (thrown) {
      // Node rejects with its own AbortError, but callers expect the reason of the signal.
      if (signal?.aborted) throw signal.reason;
      throw thrown;
    }
  },
};

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
