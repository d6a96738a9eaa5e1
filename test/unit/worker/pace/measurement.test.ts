import { describe, expect, test } from "vitest";
import { Measurement, type MeasurementOptions } from "../../../../src/worker/pace/measurement.ts";

const opening = (at: number, taken: number, unsureMs = 0) => ({ at, taken, unsureMs });
const measurement = (own: Partial<MeasurementOptions> = {}) =>
  new Measurement({ from: opening(0, 0), rate: 20, least: 0, expected: 0, isUrgent: false, windowMs: 1_000, ...own });

describe("a measurement of 10 requests a second", () => {
  test("counts from one opening to another, and finds a little less", () => {
    const measured = measurement();
    const found = [1, 2, 3, 4].map((second) =>
      measured.opened(opening(1_000 * second, 10 * second), 1_000 * second - 50),
    );
    expect(found.slice(0, 3)).toEqual([undefined, undefined, undefined]);
    expect(found[3]).toBe((0.985 * 39.5) / 4);
  });

  test("sends just above what it has counted", () => {
    const measured = measurement();
    measured.opened(opening(1_000, 10), 500);
    expect(measured.rate).toBe(0.6 * 20);
    measured.opened(opening(2_000, 20), 1_900);
    expect(measured.rate).toBe(1.05 * 9.75);
  });

  test("makes nothing of less than half a window, unless it is urgent", () => {
    const rates = [false, true].map((isUrgent) => {
      const measured = measurement({ isUrgent });
      measured.opened(opening(499, 5), 450);
      return measured.rate;
    });
    expect(rates).toEqual([20, 0.6 * 20]);

    const measured = measurement();
    measured.opened(opening(500, 5), 450);
    expect(measured.rate).toBe(0.6 * 20);
  });

  test("takes 20 requests when it is urgent", () => {
    const measured = measurement({ isUrgent: true });
    expect(measured.opened(opening(1_000, 10), 900)).toBeUndefined();
    expect(measured.opened(opening(2_000, 20), 1_900)).toBe((0.985 * 19.5) / 2);
  });

  test("goes on while it is unsure when it began and ended, from the surer moment", () => {
    const measured = measurement({ from: opening(0, 0, 400) });
    for (const second of [1, 2, 3]) measured.opened(opening(1_000 * second, 10 * second, 50), 1_000 * second - 100);
    expect(measured.opened(opening(4_000, 40, 50), 3_900)).toBeUndefined();
    for (const second of [5, 6, 7]) measured.opened(opening(1_000 * second, 10 * second, 50), 1_000 * second - 100);
    expect(measured.opened(opening(8_000, 80, 50), 7_900)).toBe((0.985 * 39.5) / 4);
  });

  test("begins anew when the quota was not in use to the full", () => {
    const measured = measurement({ rate: 25 });
    expect(measured.opened(opening(5_000, 40), 4_900)).toBeUndefined();
    for (const second of [6, 7, 8]) measured.opened(opening(1_000 * second, 10 * second - 10), 1_000 * second - 100);
    expect(measured.opened(opening(9_000, 80), 8_900)).toBe((0.985 * 39.5) / 4);
  });

  test("begins with its first opening at a rate at which one request that asks costs many", () => {
    const measured = measurement({ rate: 26, isUrgent: true });
    expect(measured.opened(opening(1_000, 20), 900)).toBeUndefined();
    expect(measured.opened(opening(2_000, 30), 1_900)).toBeUndefined();
    expect(measured.opened(opening(3_000, 40), 2_900)).toBe((0.985 * 19.5) / 2);
  });

  test("is made once more when it finds much less than expected", () => {
    const measured = measurement({ expected: 20, isUrgent: true });
    measured.opened(opening(1_000, 10), 900);
    expect(measured.opened(opening(2_000, 20), 1_900)).toBeUndefined();
    measured.opened(opening(3_000, 30), 2_900);
    expect(measured.opened(opening(4_000, 40), 3_900)).toBe((0.985 * 19.5) / 2);
  });

  test("begins anew after the quota was closed", () => {
    const measured = measurement({ isUrgent: true });
    measured.opened(opening(1_000, 10), 900);
    measured.restart(opening(61_000, 12));
    measured.opened(opening(62_000, 22), 61_900);
    expect(measured.opened(opening(63_000, 32), 62_900)).toBe((0.985 * 19.5) / 2);
  });
});

test("a quota that stays used up for longer than its window was thought to be has a longer window", () => {
  const measured = measurement({ windowMs: 8_000, rate: 10 });
  measured.opened(opening(60_000, 100), 9_000);
  expect(measured.windowMs).toBe(51_000);
});

test("a step that draws no 429 was too slow, and no estimate is less than the least", () => {
  const measured = measurement({ least: 15 });
  measured.passed();
  expect(measured.rate).toBe(1.15 * 20);
  measured.opened(opening(1_000, 10), 900);
  measured.opened(opening(2_000, 20), 1_900);
  expect(measured.rate).toBe(15);
});

test.each([
  [1_000, 500],
  [60_000, 15_000],
])("over a window of %i ms a step takes %i ms", (windowMs, stepMs) => {
  expect(measurement({ windowMs }).stepMs).toBe(stepMs);
});

test("a quota that is never in use to the full is in the end what was taken", () => {
  const measured = measurement({ rate: 60 });
  const found = [2, 4, 6, 8].map((second) =>
    measured.opened(opening(1_000 * second, 18 * second), 1_000 * second - 10),
  );
  expect(found).toEqual([undefined, undefined, undefined, (0.985 * 108) / 6]);
});
