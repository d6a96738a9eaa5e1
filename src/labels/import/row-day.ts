import { fail, ok, type Result } from "../../kernel/result.ts";

const LENGTH = 10;
const form = /^\d{4}-\d{2}-\d{2}$/;

/** The day in a cell of the column `date`, such as 2026-01-31. Empty for an empty cell. A time of day is dropped. */
export function rowDay(cell: unknown): Result<string> {
  const text = typeof cell === "string" ? cell.trim() : "";
  if (text === "") return ok("");
  const found = text.slice(0, LENGTH);
  return isDay(found) ? ok(found) : fail("date: must be a day such as 2026-01-31");
}

/** Whether the day exists in the calendar; 2026-02-30 does not. */
function isDay(text: string): boolean {
  const time = form.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
