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
