import { expect, test } from "vitest";
import { timestamp, unixMs } from "../../../src/kernel/clock.ts";

test("a time is written in UTC with milliseconds, whatever was written before", () => {
  // Sixteen apart, so that they share a place in the cache.
  const written = [0, 16, 0, 1_767_225_600_000, 1_767_225_600_016, 1_767_225_600_015, -1, 0].map(timestamp);

  expect(written).toEqual([
    "1970-01-01T00:00:00.000Z",
    "1970-01-01T00:00:00.016Z",
    "1970-01-01T00:00:00.000Z",
    "2026-01-01T00:00:00.000Z",
    "2026-01-01T00:00:00.016Z",
    "2026-01-01T00:00:00.015Z",
    "1969-12-31T23:59:59.999Z",
    "1970-01-01T00:00:00.000Z",
  ]);
});

test("a fraction of a millisecond is cut off, and an invalid time has no text", () => {
  expect([timestamp(7.5), timestamp(7), timestamp(7.5)]).toEqual([
    "1970-01-01T00:00:00.007Z",
    "1970-01-01T00:00:00.007Z",
    "1970-01-01T00:00:00.007Z",
  ]);
  expect(() => timestamp(Number.NaN)).toThrow(RangeError);
});

test("a written time is read back", () => {
  expect(unixMs(timestamp(1_767_225_600_123))).toBe(1_767_225_600_123);
  expect(unixMs("soon")).toBeNaN();
});
