import { describe, expect, test } from "vitest";
import { RateLimitedError } from "../../../../../src/worker/answers/service-errors.ts";
import { Pause } from "../../../../../src/worker/rate-limit/gate/pause.ts";

const limited = (retryAfterMs?: number) => new RateLimitedError("429", retryAfterMs);
/** The longest of the jittered waits. */
const longest = (maxWaitMs = Number.POSITIVE_INFINITY) => new Pause(() => 1, maxWaitMs);

test("a pause lasts as long as the 429 asks, and the longest of several counts", () => {
  const pause = longest();

  expect(pause.limited(limited(2_000), 100, false)).toBe(2_000);
  expect(pause.limited(limited(1_000), 100, true)).toBe(undefined);
  expect([pause.leftMs(100), pause.leftMs(2_100), pause.leftMs(2_101)]).toEqual([2_000, 0, -1]);
});

test("of many 429s with the same wait only the first is reported, and one with a much longer wait", () => {
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

test("429s without a wait lead to longer and longer pauses until an answer comes", () => {
  const pause = longest();

  expect(pause.limited(limited(), 0, false)).toBe(500);
  expect(pause.limited(limited(), 499, false)).toBe(undefined);
  expect(pause.limited(limited(), 500, false)).toBe(1_000);
  pause.answered(500);
  expect(pause.limited(limited(), 1_500, false)).toBe(500);
});

test("a 429 without a wait begins no pause where a pacer finds the pace", () => {
  const pause = longest();

  expect(pause.limited(limited(), 0, true)).toBe(undefined);
  expect(pause.leftMs(0)).toBe(Number.NEGATIVE_INFINITY);
});

test("no pause is longer than an hour, whatever wait the service asks for", () => {
  const pause = longest();

  expect(pause.limited(limited(31_536_000_000), 0, true)).toBe(3_600_000);
  expect([pause.leftMs(0), pause.leftMs(0, true)]).toEqual([3_600_000, 3_600_000]);
});

describe("an announced wait that is longer than realtime events keep to", () => {
  test("realtime waits up to the limit after each 429, and backfill waits in full", () => {
    const pause = longest(300_000);

    expect(pause.limited(limited(900_000), 0, true)).toBe(900_000);
    expect([pause.leftMs(0), pause.leftMs(0, true)]).toEqual([900_000, 300_000]);
    expect(pause.limited(limited(599_000), 301_000, true)).toBe(undefined);
    expect([pause.leftMs(301_000), pause.leftMs(301_000, true)]).toEqual([599_000, 300_000]);
    expect(pause.limited(limited(200_000), 700_000, true)).toBe(undefined);
    expect([pause.leftMs(700_000), pause.leftMs(700_000, true)]).toEqual([200_000, 200_000]);
  });

  test("the answer to a request that was sent after the 429 ends the pause for both lanes", () => {
    const pause = longest(300_000);

    pause.limited(limited(900_000), 10, true);
    pause.answered(10);
    expect([pause.leftMs(20) > 0, pause.leftMs(20, true) > 0]).toEqual([true, true]);
    pause.answered(300_010);
    expect([pause.leftMs(300_020) > 0, pause.leftMs(300_020, true) > 0]).toEqual([false, false]);
  });
});

test("an announced maintenance begins a pause of an hour at most", () => {
  const pause = longest(300_000);

  expect(pause.announced(45_000, 0)).toBe(45_000);
  expect(pause.announced(45_000, 1_000)).toBe(undefined);
  expect(pause.leftMs(1_000)).toBe(45_000);
  expect(pause.announced(1e9, 50_000)).toBe(3_600_000);
  expect([pause.leftMs(50_000), pause.leftMs(50_000, true)]).toEqual([3_600_000, 300_000]);
});
