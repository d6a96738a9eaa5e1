import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { retryAfterMs as read } from "../../../../../src/adapters/http/waits/retry-after.ts";

/** A second before the date of the examples in RFC 9110, 5.6.7. */
const NOW = Date.UTC(1994, 10, 6, 8, 49, 36);
const DAY = 86_400_000;
const YEAR = 365 * DAY;

const retryAfterMs = (header: string | undefined, nowMs: number) =>
  read(header === undefined ? {} : { "retry-after": header }, nowMs);

describe("seconds", () => {
  test.each<[string, number]>([
    ["0", 0],
    ["1", 1_000],
    ["120", 120_000],
    [" 7 ", 7_000],
    ["007", 7_000],
    ["3601", 3_601_000],
    ["999999999", 999_999_999_000],
    ["2.0", 2_000],
    ["0.25", 250],
    ["1.5", 1_500],
    ["2s", 2_000],
    ["2 seconds", 2_000],
    ["1 second", 1_000],
    ["30 sec", 30_000],
    ["1m", 60_000],
    ["5 min", 300_000],
    ["1 Minute", 60_000],
    ["1m30s", 90_000],
    ["6m0s", 360_000],
    ["1h2m3.5s", 3_723_500],
    ["500ms", 500],
    ["1 minute, 30 seconds", 90_000],
    ["2h", 7_200_000],
  ])("%j", (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });
});

describe("a date", () => {
  test.each([
    "Sun, 06 Nov 1994 08:49:37 GMT",
    "Sunday, 06-Nov-94 08:49:37 GMT",
    "Sun Nov  6 08:49:37 1994",
    "Sun Nov 06 08:49:37 1994",
    "sun, 06 nov 1994 08:49:37 gmt",
    "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06-Nov-1994 08:49:37 GMT",
    "Sunday, 06-Nov-1994 08:49:37 GMT",
    "Sun, 06-Nov-94 08:49:37 GMT",
    "06-Nov-1994 08:49:37 GMT",
    "06 Nov 1994 08:49:37 GMT",
    "6 Nov 1994 08:49:37 +0000",
    "Sunday, 06 Nov 1994 08:49:37 UT",
    "Sun, 06 Nov 1994 00:49:37 PST",
    "Sun, 06 Nov 1994 01:49:37 PDT",
    "Sun, 06 Nov 1994 03:49:37 EST",
    "Sun, 06-Nov-1994 03:49:37 est",
    "Sun, 06 Nov 1994 08:49:37 GMT+0000",
    "1994-11-06 08:49:37 UTC",
    "1994-11-06 08:49:37 +0000",
    "Sun, 06 Nov 1994 08:49:37 +0000",
    "Sun, 06 Nov 1994 03:49:37 -0500",
    "Sun Nov 06 1994 09:49:37 GMT+0100 (Central European Standard Time)",
    "1994-11-06T08:49:37Z",
    "1994-11-06 08:49:37Z",
    "1994-11-06T08:49:37",
    "1994-11-06T08:49:37.000000Z",
    "1994-11-06T10:19:37+01:30",
  ])("%j means a second from now", (header) => {
    expect(retryAfterMs(header, NOW)).toBe(1_000);
    expect(retryAfterMs(header, NOW - 250)).toBe(1_250);
    expect(retryAfterMs(header, NOW + 1_000)).toBe(0);
    expect(retryAfterMs(header, NOW + 1_001)).toBeUndefined();
  });

  test("may have fractions of a second", () => {
    expect(retryAfterMs("1994-11-06T08:49:37.750Z", NOW)).toBe(1_750);
  });

  test("may be a Unix time, in seconds or milliseconds", () => {
    const now = Date.UTC(2026, 10, 29);

    expect(retryAfterMs(String(now / 1_000 + 30), now)).toBe(30_000);
    expect(retryAfterMs(`${now / 1_000 + 30}.5`, now)).toBe(30_500);
    expect(retryAfterMs(String(now + 30_250), now)).toBe(30_250);
    expect(retryAfterMs(String(now / 1_000 - 1), now)).toBeUndefined();
    expect(retryAfterMs(String(now - 1), now)).toBeUndefined();
  });

  test("with a year of two digits is at most fifty years ahead", () => {
    const at = (date: string, year: number) => retryAfterMs(`${date} 00:00:30 GMT`, Date.UTC(year, 0, 1));

    expect(at("Friday, 01-Jan-76", 2026)).toBe(50 * YEAR + 12 * DAY + 30_000);
    expect(at("Friday, 01-Jan-77", 2026)).toBeUndefined();
    expect(at("Friday, 01-Jan-44", 1994)).toBe(50 * YEAR + 12 * DAY + 30_000);
    expect(at("Friday, 01-Jan-45", 1994)).toBeUndefined();
    expect(at("Saturday, 01-Jan-00", 2000)).toBe(30_000);
    expect(at("Saturday, 01-Jan-00", 1999)).toBe(YEAR + 30_000);
  });

  test.each<[string, number, number]>([
    ["Sat, 29 Feb 2020 00:00:05 GMT", Date.UTC(2020, 1, 29), 5_000],
    ["Sat, 31 Dec 2016 23:59:60 GMT", Date.UTC(2016, 11, 31, 23, 59, 59), 1_000],
  ])("%j is a date", (header, now, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });
});

describe("no usable header", () => {
  test.each([
    undefined,
    "",
    " ",
    "-1",
    "+1",
    "1e3",
    "0x10",
    "NaN",
    "Infinity",
    "soon",
    "s",
    "30x",
    "2 sessions",
    "1month",
    "2s later",
    "-2s",
    "30 S econds",
    "1.",
    ".5",
    "12345678901",
    "123456789012",
    "1764374400000000",
    "9".repeat(400),
    "2994-11-06",
    "2994-13-06T08:49:37Z",
    "2994-11-06T08:49:37+1",
    "1, 2",
    "Sun, 06 Nov 1994 08:49:35 GMT",
    "Sun, 06 Nov 2994 08:49:37",
    // CST is Central America, or China.
    "Sun, 06 Nov 2994 08:49:37 CST",
    "06 Nov 2994 08:49:37",
    "Sun, 06-Nov-294 08:49:37 GMT",
    "Xxx, 06 Nov 2994 08:49:37 GMT",
    "Sun, 06 Foo 2994 08:49:37 GMT",
    "Wed, 31 Nov 2994 08:49:37 GMT",
    "Wed, 30 Feb 2994 08:49:37 GMT",
    "Sun, 00 Nov 2994 08:49:37 GMT",
    "Sun, 06 Nov 2994 24:00:00 GMT",
    "Sun, 06 Nov 2994 08:60:00 GMT",
    "Sun, 06 Nov 2994 08:49:61 GMT",
    "Sun, 06 Nov 2994 08:49:37 GMT trailing",
  ])("%j", (header) => {
    expect(retryAfterMs(header, NOW)).toBeUndefined();
  });

  test("a repeated header", () => {
    expect(read({ "retry-after": ["1", "2"] as never }, NOW)).toBeUndefined();
  });

  test("for any header, the wait is a finite number from 0 on, or undefined", () => {
    const units = fc.tuple(fc.nat(), fc.constantFrom("ms", "s", "m", " hours", "x")).map((parts) => parts.join(""));
    const headers = fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String), units);
    const dates = fc.date({ noInvalidDate: true }).map((date) => date.toUTCString());
    fc.assert(
      fc.property(fc.oneof(headers, dates), fc.integer({ min: 0, max: 4e12 }), (header, nowMs) => {
        const ms = retryAfterMs(header, nowMs);
        if (ms !== undefined) expect(ms >= 0 && Number.isFinite(ms)).toBe(true);
      }),
    );
  });
});
