/**
 * A date by itself and a time without an offset are accepted too, because nothing is computed with them. Source: RFC
 * 3339, section 5.6.
 */
const TIME = /^(\d{4})-(\d\d)-(\d\d)([Tt ]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]\d\d:[0-5]\d)?)?$/;

/** Whether `text` is a time as people and programs write it. A day that its month does not have is refused. */
export function isTime(text: string): boolean {
  const [, year, month, day] = TIME.exec(text) ?? [];
  return day !== undefined && Number(day) > 0 && Number(day) <= daysIn(Number(year), Number(month));
}

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}
