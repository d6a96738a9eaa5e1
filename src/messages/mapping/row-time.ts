import { unixMs } from "../../kernel/clock.ts";

/** Seconds since 1970 up to the year 5138, and milliseconds since 1973. */
const seconds = /^\d{9,11}(\.\d+)?$/;
const milliseconds = /^\d{12,14}$/;
/** A date and a time as exports write them: `2024-06-01 22:36:51.000 UTC`. A time without a zone is UTC. */
const dateTime =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?(?:\s*\(?UTC\)?)?$/i;

/** Unix milliseconds of a time in an export. Undefined for a form that is ambiguous, such as 1/2/2024. */
export function rowTimeMs(text: string): number | undefined {
  if (seconds.test(text)) return Math.round(Number(text) * 1_000);
  if (milliseconds.test(text)) return Number(text);
  const [, date, time, zone = "Z"] = dateTime.exec(text.trim()) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const offset = /^[+-]/.test(zone) ? zone.replace(/^(.\d\d):?(\d\d)$/, "$1:$2") : "Z";
  const ms = unixMs(`${date}T${time.length === 5 ? `${time}:00` : time}${offset}`);
  return Number.isNaN(ms) ? undefined : ms;
}
