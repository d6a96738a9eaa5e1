import { expect, test } from "vitest";
import { FasterRateProbe } from "../../../../../../src/worker/rate-limit/learner/search/probe.ts";

const probeOf = (windowMs: number) => new FasterRateProbe({ base: 100, perSecond: 102, windowMs, now: 5_000 });

test("each step that passes is followed by one with three times the growth", () => {
  const probe = probeOf(1_000);
  const rates = [0, 1, 2].map(() => {
    const { rate, passedRate } = probe;
    probe.passed(false);
    return [rate, passedRate];
  });
  expect(rates[0]).toEqual([105, 100]);
  expect(rates[1]?.[0]).toBeCloseTo(115, 9);
  expect(rates[1]?.[1]).toBe(105);
  expect(rates[2]?.[0]).toBeCloseTo(145, 9);
  expect(rates[2]?.[1]).toBeCloseTo(115, 9);
});

test("beyond double the rate a step goes faster only when more is accepted than known", () => {
  const probe = probeOf(1_000);
  for (let i = 0; i < 6; i++) probe.passed(false);
  expect(probe.rate).toBeCloseTo(235, 9);
  expect(probe.passedRate).toBeCloseTo(235, 9);
  probe.passed(true);

  expect(probe.rate).toBeCloseTo(505, 9);
});

test("the accepted requests are compared with the measured rate", () => {
  const probe = probeOf(1_000);
  for (let i = 0; i < 110; i++) probe.taken(5_000);
  probe.taken(4_999);
  expect(probe.excess(6_000)).toBe(8);
  expect(probe.takenRate(6_000)).toBe(110);
});

test.each([
  [1_000, 500],
  [60_000, 15_000],
])("with a window of %i ms a step takes %i ms", (windowMs, stepMs) => {
  expect(probeOf(windowMs).stepMs).toBe(stepMs);
});
