import { readDate } from "./date-text.ts";

/** Unix time of 2001 to 2286: seconds have ten digits, milliseconds thirteen. */
const EPOCH_SECONDS = /^[1-9]\d{9}(?:\.\d+)?$/;
const EPOCH_MS = /^[1-9]\d{12}(?:\.\d+)?$/;
/** A number of seconds, up to 31 years. */
const SECONDS = /^\d{1,9}(?:\.\d+)?$/;

/** `2s`, `2 seconds`, `1m30s`: durations as Go prints them and as people write them. */
const PART = String.raw`(?<count>\d{1,9}(?:\.\d+)?) ?(?<unit>ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)`;
const DURATION = new RegExp(`^${PART.replaceAll(/\?<\w+>/g, "?:")}(?:,? ?${PART.replaceAll(/\?<\w+>/g, "?:")})*$`, "i");
const PARTS = new RegExp(PART, "gi");
const msByUnit: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * The wait in one value of a header, milliseconds: seconds from now, Unix time, or a date. Undefined for a time that
 * has passed, and for any other text.
 *
 * @param nowMs Unix milliseconds of the clock that the value was written by.
 */
export function readWait(value: string, nowMs: number): number | undefined {
  const text = value.trim();
  if (SECONDS.test(text)) return Number(text) * 1_000;
  if (DURATION.test(text)) return durationMs(text);
  const at = timeOf(text, nowMs);
  return at === undefined || at < nowMs ? undefined : at - nowMs;
}

/** Whether a value is a wait or a time of any form, even one that has passed. */
export function isReadable(value: string, nowMs: number): boolean {
  const text = value.trim();
  return readWait(text, nowMs) !== undefined || timeOf(text, nowMs) !== undefined;
}

function durationMs(text: string): number {
  const parts = [...text.matchAll(PARTS)].map(({ groups: { count = "", unit = "" } = {} }) => {
    const name = unit.toLowerCase();
    return Number(count) * (name === "ms" ? 1 : (msByUnit[name.charAt(0)] ?? 0));
  });
  return parts.reduce((sum, ms) => sum + ms, 0);
}

function timeOf(text: string, nowMs: number): number | undefined {
  if (EPOCH_SECONDS.test(text)) return Number(text) * 1_000;
  if (EPOCH_MS.test(text)) return Number(text);
  return readDate(text, nowMs);
}
