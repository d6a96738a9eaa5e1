import type { IncomingHttpHeaders } from "node:http";

/** Longest wait that a service may ask for, milliseconds: beyond it, asking is the better way to learn. Chosen. */
const MAX_MS = 3_600_000;
/** A Date header is cut to the second, and an answer takes a while: by so much it may be behind a clock that is right. Chosen. */
const AGREE_MS = 2_000;
const CENTURY = 100;
/** RFC 9110, 5.6.7: a year of two digits is no further ahead than this. */
const MAX_YEARS_AHEAD = 50;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTH = `(?<month>${months.join("|")})`;
const TIME = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)`;
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const LONG_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";

/** IMF-fixdate, RFC 850 and asctime. Case counts, and times are in UTC, as RFC 9110, 5.6.7 says. */
const dates = [
  new RegExp(String.raw`^${DAY}, (?<day>\d\d) ${MONTH} (?<year>\d{4}) ${TIME} GMT$`),
  new RegExp(String.raw`^${LONG_DAY}, (?<day>\d\d)-${MONTH}-(?<year>\d\d) ${TIME} GMT$`),
  new RegExp(String.raw`^${DAY} ${MONTH} (?<day>\d\d| \d) ${TIME} (?<year>\d{4})$`),
];

/** How long an answer that came at `nowMs` asks to wait, milliseconds; undefined where it does not say. */
export function askedWaitMs({ "retry-after": header, date }: IncomingHttpHeaders, nowMs: number): number | undefined {
  // One that is given twice comes as a list, and says nothing.
  return retryAfterMs(typeof header === "string" ? header : undefined, serverNow(date, nowMs));
}

/** What a date is counted from: where the server's clock and ours are apart, its own. */
function serverNow(date: string | undefined, nowMs: number): number {
  const sentAt = httpDate(date?.trim() ?? "", nowMs);
  const isOurs = sentAt === undefined || (nowMs >= sentAt && nowMs < sentAt + AGREE_MS);
  return isOurs ? nowMs : sentAt;
}

/**
 * How long a Retry-After header asks to wait, milliseconds from `nowMs` (Unix), at most an hour. undefined where it says
 * nothing that can be used: no header, garbage, a date that has passed. Source: RFC 9110, 10.2.3.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, MAX_MS);
  const at = httpDate(text, nowMs);
  return at === undefined || at < nowMs ? undefined : Math.min(at - nowMs, MAX_MS);
}

function httpDate(text: string, nowMs: number): number | undefined {
  const found = dates.map((date) => date.exec(text)?.groups).find((groups) => groups !== undefined);
  if (found === undefined) return undefined;
  const { year = "", month = "", day = "", hour = "", minute = "", second = "" } = found;
  const midnight = (inYear: number) => Date.UTC(inYear, months.indexOf(month), Number(day));
  const years = year.length === 2 ? fullYear(Number(year), nowMs) : Number(year);
  const date = new Date(midnight(years));
  // The 31st of a month of 30 days would count as the 1st of the next.
  const isDate = date.getUTCDate() === Number(day);
  // A leap second is the first of the minute after it.
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
  return isDate && isTime
    ? midnight(years) + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000
    : undefined;
}

/** The one year with these last two digits that is at most fifty ahead, and less than fifty past. */
function fullYear(twoDigits: number, nowMs: number): number {
  const first = new Date(nowMs).getUTCFullYear() + MAX_YEARS_AHEAD - (CENTURY - 1);
  return first + ((((twoDigits - first) % CENTURY) + CENTURY) % CENTURY);
}
