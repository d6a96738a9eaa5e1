import { expect, test } from "vitest";
import { FullRateProbe } from "../../../../../../src/worker/rate-limit/learner/search/full-rate-probe.ts";

const half = () => 0.5;

/** Lets a try that is due at `at` fail. @returns the time of its end. */
function fail(more: FullRateProbe, at: number): number {
  more.beginIfDue(at);
  expect(more.isOn).toBe(true);
  more.refused(more.sent(at), at + 30, 10);
  const next = at + 30 + more.waitMs(at + 30);
  more.taken(more.sent(next), next + 30);
  expect(more.isOn).toBe(false);
  return next + 30;
}

test("a try begins 8 s after the last 429", () => {
  const more = new FullRateProbe(half, 1_000, 0);
  more.beginIfDue(7_999);
  expect(more.isOn).toBe(false);
  more.disturbed(5_000);
  more.beginIfDue(12_999);
  expect(more.isOn).toBe(false);
  more.beginIfDue(13_000);
  expect([more.isOn, more.since, more.isUsedUp, more.waitMs(13_000)]).toEqual([true, 13_000, false, 0]);
});

test("after a 429 one request at a time probes, and the first accepted one ends the try", () => {
  const more = new FullRateProbe(half, 1_000, 0);
  more.beginIfDue(8_000);
  const first = more.sent(8_000);
  const second = more.sent(8_010);
  more.refused(first, 8_030, 10);
  // Requests that were in flight say nothing.
  more.taken(second, 8_040);
  expect([more.isOn, more.isUsedUp, more.waitMs(8_030)]).toEqual([true, true, 20]);
  const asking = more.sent(8_050);
  // The next probe does not wait for an answer that takes longer than 75 ms.
  expect(more.waitMs(8_060)).toBe(65);
  more.undecided(asking);
  expect(more.waitMs(8_060)).toBe(0);
  more.taken(more.sent(8_070), 8_100);
  expect([more.isOn, more.isUsedUp, more.since]).toEqual([false, false, 8_100]);
});

test("after each failed try the next one waits twice as long, up to 32 s", () => {
  const more = new FullRateProbe(half, 1_000, 0);
  let over = fail(more, 8_000);
  for (const afterMs of [16_000, 32_000, 32_000]) {
    more.beginIfDue(over + afterMs - 1);
    expect(more.isOn).toBe(false);
    over = fail(more, over + afterMs);
  }
});

test("with a long window a try waits for two windows", () => {
  const more = new FullRateProbe(half, 60_000, 0);
  more.beginIfDue(119_999);
  expect(more.isOn).toBe(false);
  const over = fail(more, 120_000);
  more.beginIfDue(over + 119_999);
  expect(more.isOn).toBe(false);
  more.beginIfDue(over + 120_000);
  expect(more.isOn).toBe(true);
});
