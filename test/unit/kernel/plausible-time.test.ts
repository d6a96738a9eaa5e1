import { expect, test } from "vitest";
import { plausibleTime } from "../../../src/kernel/clock.ts";

const now = Date.UTC(2026, 10, 29);

test.each([
  ["none", -1],
  ["zero", 0],
  ["seconds", now / 1_000],
  ["microseconds", now * 1_000],
  ["the day before the first block", Date.UTC(2009, 0, 2)],
  ["a time to come", now + 1],
  ["no number", Number.NaN],
])("a time that is %s has no meaning", (_name, ms) => {
  expect(plausibleTime(ms, now)).toBeUndefined();
});

test.each([now, now - 1, Date.UTC(2009, 0, 3)])("%i is plausible", (ms) => {
  expect(plausibleTime(ms, now)).toBe(ms);
});
