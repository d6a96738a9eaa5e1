import { expect, test } from "vitest";
import { Pause } from "../../../../src/worker/pace/pause.ts";
import { RateLimitedError } from "../../../../src/worker/service-errors.ts";

const limited = (retryAfterMs?: number) => new RateLimitedError("429", retryAfterMs);
/** The longest of the jittered waits. */
const longest = () => new Pause(() => 1);

test("a 429 that says how long is believed, and the longest of several counts", () => {
  const pause = longest();

  expect(pause.limited(limited(2_000), 100, false)).toBe(2_000);
  expect(pause.limited(limited(1_000), 100, true)).toBe(undefined);
  expect([pause.leftMs(100), pause.leftMs(2_100), pause.leftMs(2_101)]).toEqual([2_000, 0, -1]);
});

test("of many that say the same while it waits only the first is news, and one that says much more", () => {
  const pause = longest();

  expect(pause.limited(limited(2_000), 0, false)).toBe(2_000);
  expect([1, 15, 999].map((now) => pause.limited(limited(2_000), now, false))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(pause.leftMs(999)).toBe(2_000);
  expect(pause.limited(limited(3_999), 999, false)).toBe(undefined);
  expect(pause.limited(limited(8_000), 1_000, false)).toBe(8_000);
  expect(pause.limited(limited(8_000), 9_000, false)).toBe(8_000);
});

test("one that does not say is waited for longer each time, until an answer comes", () => {
  const pause = longest();

  expect(pause.limited(limited(), 0, false)).toBe(500);
  expect(pause.limited(limited(), 499, false)).toBe(undefined);
  expect(pause.limited(limited(), 500, false)).toBe(1_000);
  pause.answered();
  expect(pause.limited(limited(), 1_500, false)).toBe(500);
});

test("one that does not say is left to whoever finds the pace out", () => {
  const pause = longest();

  expect(pause.limited(limited(), 0, true)).toBe(undefined);
  expect(pause.leftMs(0)).toBe(Number.NEGATIVE_INFINITY);
});
