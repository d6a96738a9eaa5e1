const CENTURY = 100;
/** RFC 9110, 5.6.7: a year of two digits is at most this many years ahead. */
const MAX_YEARS_AHEAD = 50;

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH = `(?<month>${months.join("|")})`;
const TIME = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?<fraction>[.,]\d{1,9})?`;
const DAY = "(?:mon|tue|wed|thu|fri|sat|sun)";
const ANY_DAY = `(?:${DAY}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)`;
const OFFSET = String.raw`(?<sign>[+-])(?<aheadHour>\d\d):?(?<aheadMinute>\d\d)`;
/**
 * Hours ahead of UTC. Source: RFC 822, 5. CST of RFC 822 is left out: China Standard Time has the same name, 14 hours
 * apart, and a wrong zone would become a wait.
 */
const hoursByZone: Readonly<Record<string, number>> = { EST: -5, EDT: -4, MST: -7, MDT: -6, PST: -8, PDT: -7 };
const ZONE = `(?:GMT|UTC|UT|Z|(?<zone>${Object.keys(hoursByZone).join("|")})|(?:GMT|UTC)?${OFFSET})`;

/** The forms in which servers write a date. The letter case does not count. */
const forms = [
  // IMF-fixdate, RFC 9110: "Sun, 06 Nov 1994 08:49:37 GMT"; mail dates have an offset, and may have no weekday.
  String.raw`(?:${ANY_DAY}, )?(?<day>\d\d?) ${MONTH} (?<year>\d{4}) ${TIME} ${ZONE}`,
  // RFC 850: "Sunday, 06-Nov-94 08:49:37 GMT"; cookies have a short weekday, and years of four digits.
  String.raw`(?:${ANY_DAY}, )?(?<day>\d\d?)-${MONTH}-(?<year>\d\d(?:\d\d)?) ${TIME} ${ZONE}`,
  // C's asctime, in UTC: "Sun Nov  6 08:49:37 1994".
  String.raw`${DAY} ${MONTH} {1,2}(?<day>\d\d?) ${TIME} (?<year>\d{4})`,
  // JavaScript's Date.toString: "Sun Nov 06 1994 09:49:37 GMT+0100 (Central European Time)".
  String.raw`${DAY} ${MONTH} (?<day>\d\d) (?<year>\d{4}) ${TIME} GMT${OFFSET}(?: \([^()]*\))?`,
  // RFC 3339 and ISO 8601, in UTC without a zone: "1994-11-06T08:49:37.250Z".
  String.raw`(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[T ]${TIME} ?${ZONE}?`,
].map((form) => new RegExp(`^${form}$`, "i"));

/**
 * Unix milliseconds of a date in the forms of HTTP servers; undefined for any other text.
 *
 * @param nowMs decides the century of a year of two digits.
 */
export function readDate(text: string, nowMs: number): number | undefined {
  const found = forms.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (found === undefined) return undefined;
  const { year = "", month = "", day = "", hour = "", minute = "", second = "", fraction = "" } = found;
  const years = year.length === 2 ? fullYear(Number(year), nowMs) : Number(year);
  const midnight = Date.UTC(years, monthOf(month), Number(day));
  const date = new Date(midnight);
  // Date.UTC reads the 31st of a shorter month as a day of the next one.
  const isDate = date.getUTCDate() === Number(day) && date.getUTCMonth() === monthOf(month);
  // A leap second counts as the first second of the next minute.
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
  if (!isDate || !isTime) return undefined;
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
  const ms = Math.floor(Number(`0.${fraction.slice(1)}`) * 1_000);
  return midnight + seconds * 1_000 + ms - offsetMs(found);
}

function monthOf(text: string): number {
  return /^\d/.test(text) ? Number(text) - 1 : months.indexOf(text.toLowerCase());
}

function offsetMs({
  zone = "",
  sign,
  aheadHour = "0",
  aheadMinute = "0",
}: Readonly<Record<string, string | undefined>>): number {
  const hours = hoursByZone[zone.toUpperCase()];
  if (hours !== undefined) return hours * 3_600_000;
  const ms = (Number(aheadHour) * 60 + Number(aheadMinute)) * 60_000;
  return sign === "-" ? -ms : ms;
}

/** The year with these last two digits that is at most fifty years ahead. */
function fullYear(twoDigits: number, nowMs: number): number {
  const first = new Date(nowMs).getUTCFullYear() + MAX_YEARS_AHEAD - (CENTURY - 1);
  return first + ((((twoDigits - first) % CENTURY) + CENTURY) % CENTURY);
}
