import { timestamp, unixMs } from "../../kernel/clock.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";

const DAY_MS = 86_400_000;
const DATE_LENGTH = "2026-01-31".length;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Days in UTC, both inclusive, as in 2026-01-31. */
export interface Days {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** @throws {ConfigInvalidError} for text that is no date, and for a range that ends before it begins. */
export function readDays({ from, until }: Days): Days {
  for (const [flag, date] of [
    ["--from", from],
    ["--until", until],
  ] as const) {
    if (date !== undefined && !isDate(date))
      throw new ConfigInvalidError(`${flag} ${date}: name a day in UTC, such as 2026-01-31`);
  }
  if (from !== undefined && until !== undefined && from > until)
    throw new ConfigInvalidError(`--from ${from} lies behind --until ${until}: exchange the two`);
  return { from, until };
}

/** Whether a time of RFC 3339 in UTC lies in the range. */
export function isInDays({ from = "", until = "9999-12-31" }: Days, time: string): boolean {
  const day = time.slice(0, DATE_LENGTH);
  return from <= day && day <= until;
}

/** One day more on each side: an object is filed under the day of its first verdict, and holds later ones. */
export function widened({ from, until }: Days): Days {
  return { from: from && moved(from, -DAY_MS), until: until && moved(until, DAY_MS) };
}

function moved(date: string, ms: number): string {
  return timestamp(unixMs(date) + ms).slice(0, DATE_LENGTH);
}

function isDate(text: string): boolean {
  // 2026-02-30 reads as a day of March.
  return DATE.test(text) && Number.isFinite(unixMs(text)) && timestamp(unixMs(text)).startsWith(text);
}
