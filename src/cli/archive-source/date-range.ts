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

/** Whether a time lies in the range. A text that is no time lies in every range, so that it is not lost. */
export function isInDays({ from, until }: Days, time: string): boolean {
  if (from === undefined && until === undefined) return true;
  const day = time.slice(0, DATE_LENGTH);
  if (!isDate(day)) return true;
  return (from === undefined || from <= day) && (until === undefined || day <= until);
}

/** One day more at the end: the clocks of a worker and of its broker may differ around midnight. */
export function widened({ from, until }: Days): Days {
  return { from, until: until && moved(until, DAY_MS) };
}

function moved(date: string, ms: number): string {
  return timestamp(unixMs(date) + ms).slice(0, DATE_LENGTH);
}

function isDate(text: string): boolean {
  // 2026-02-30 reads as a day of March.
  return DATE.test(text) && Number.isFinite(unixMs(text)) && timestamp(unixMs(text)).startsWith(text);
}
