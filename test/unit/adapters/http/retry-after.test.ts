import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { askedWaitMs, retryAfterMs } from "../../../../src/adapters/http/retry-after.ts";

/** A second before the date of the examples in RFC 9110, 5.6.7. */
const NOW = Date.UTC(1994, 10, 6, 8, 49, 36);
const HOUR = 3_600_000;

describe("seconds", () => {
  test.each<[string, number]>([
    ["0", 0],
    ["1", 1_000],
    ["120", 120_000],
    [" 7 ", 7_000],
    ["007", 7_000],
    ["3600", HOUR],
    ["3601", HOUR],
    ["9".repeat(400), HOUR],
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
  ])("%j is a second from now, in each format of RFC 9110", (header) => {
    expect(retryAfterMs(header, NOW)).toBe(1_000);
    expect(retryAfterMs(header, NOW - 250)).toBe(1_250);
    expect(retryAfterMs(header, NOW + 1_000)).toBe(0);
    expect(retryAfterMs(header, NOW + 1_001)).toBeUndefined();
  });

  test("far ahead is an hour", () => {
    expect(retryAfterMs("Mon, 06 Nov 1995 08:49:37 GMT", NOW)).toBe(HOUR);
  });

  test("of two digits is at most fifty years ahead", () => {
    const at = (date: string, year: number) => retryAfterMs(`${date} 00:00:30 GMT`, Date.UTC(year, 0, 1));

    expect(at("Friday, 01-Jan-76", 2026)).toBe(HOUR);
    expect(at("Friday, 01-Jan-77", 2026)).toBeUndefined();
    expect(at("Friday, 01-Jan-44", 1994)).toBe(HOUR);
    expect(at("Friday, 01-Jan-45", 1994)).toBeUndefined();
    expect(at("Saturday, 01-Jan-00", 2000)).toBe(30_000);
    expect(at("Saturday, 01-Jan-00", 1999)).toBe(HOUR);
  });

  test.each<[string, number, number]>([
    ["Sat, 29 Feb 2020 00:00:05 GMT", Date.UTC(2020, 1, 29), 5_000],
    ["Sat, 31 Dec 2016 23:59:60 GMT", Date.UTC(2016, 11, 31, 23, 59, 59), 1_000],
  ])("%j is one", (header, now, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });
});

describe("a date beside the time at which the server answered", () => {
  const until = { "retry-after": "Sun, 06 Nov 1994 08:49:37 GMT" };
  const sent = { ...until, date: "Sun, 06 Nov 1994 08:49:36 GMT" };

  test.each([
    ["of a server that is ahead of us", NOW - 1_200_000, 1_000],
    ["of a server that is behind us", NOW + 1_200_000, 1_000],
    ["of one that is not: what of that second is over is not waited for again", NOW + 600, 400],
    ["that took a while", NOW + 1_999, undefined],
    ["that took longer than answers do", NOW + 2_000, 1_000],
  ])("%s", (_, now, ms) => {
    expect(askedWaitMs(sent, now)).toBe(ms);
  });

  test("that is garbage, or missing, is none", () => {
    expect(askedWaitMs({ ...until, date: "today" }, NOW - 250)).toBe(1_250);
    expect(askedWaitMs(until, NOW - 250)).toBe(1_250);
  });

  test("does not matter to seconds", () => {
    expect(askedWaitMs({ ...sent, "retry-after": "7" }, NOW - 1_200_000)).toBe(7_000);
  });
});

describe("nothing that can be used", () => {
  test.each([
    undefined,
    "",
    " ",
    "-1",
    "+1",
    "1.5",
    "1e3",
    "0x10",
    "NaN",
    "Infinity",
    "soon",
    "1, 2",
    "Sun, 06 Nov 1994 08:49:35 GMT",
    "Sun, 06 Nov 2994 08:49:37",
    "Sun, 06 Nov 2994 08:49:37 UTC",
    "Sun, 06 Nov 2994 08:49:37 +0000",
    "sun, 06 nov 2994 08:49:37 gmt",
    "Sun, 6 Nov 2994 08:49:37 GMT",
    "Xxx, 06 Nov 2994 08:49:37 GMT",
    "Sun, 06 Foo 2994 08:49:37 GMT",
    "Wed, 31 Nov 2994 08:49:37 GMT",
    "Wed, 30 Feb 2994 08:49:37 GMT",
    "Sun, 00 Nov 2994 08:49:37 GMT",
    "Sun, 06 Nov 2994 24:00:00 GMT",
    "Sun, 06 Nov 2994 08:60:00 GMT",
    "Sun, 06 Nov 2994 08:49:61 GMT",
    "Sun, 06 Nov 2994 08:49:37 GMT trailing",
    "2994-11-06T08:49:37Z",
  ])("%j", (header) => {
    expect(retryAfterMs(header, NOW)).toBeUndefined();
  });

  test("whatever it says, the wait is a number from 0 to an hour, or none", () => {
    const headers = fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String));
    const dates = fc.date({ noInvalidDate: true }).map((date) => date.toUTCString());
    fc.assert(
      fc.property(fc.oneof(headers, dates), fc.integer({ min: 0, max: 4e12 }), (header, nowMs) => {
        const ms = retryAfterMs(header, nowMs);
        if (ms !== undefined) expect(ms >= 0 && ms <= HOUR).toBe(true);
      }),
    );
  });
});
