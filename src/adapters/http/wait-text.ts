import { readDate } from "./date-text.ts";

/** Unix time of 2001 to 2286: seconds have ten digits, milliseconds thirteen. */
const EPOCH_SECONDS = /^[1-9]\d{9}(?:\.\d+)?$/;
const EPOCH_MS = /^[1-9]\d{12}(?:\.\d+)?$/;
/** Up to 31 years. */
const SECONDS = /^\d{1,9}(?:\.\d+)?$/;

/**
 * The wait that one value of a header asks for, milliseconds: seconds from now, Unix time, or a date. undefined for a
 * time that has passed, and for anything else.
 *
 * @param nowMs Unix milliseconds of the clock that the value was written by.
 */
export function readWait(value: string, nowMs: number): number | undefined {
  const text = value.trim();
  if (SECONDS.test(text)) return Number(text) * 1_000;
  const at = timeOf(text, nowMs);
  return at === undefined || at < nowMs ? undefined : at - nowMs;
}

function timeOf(text: string, nowMs: number): number | undefined {
  if (EPOCH_SECONDS.test(text)) return Number(text) * 1_000;
  if (EPOCH_MS.test(text)) return Number(text);
  return readDate(text, nowMs);
}
