import { describe, expect, test } from "vitest";
import { Measurement, type MeasurementOptions } from "../../../../../src/worker/rate-limit/learner/measurement.ts";

const opening = (at: number, taken: number, unsureMs = 0) => ({ at, taken, unsureMs });
const measurement = (own: Partial<MeasurementOptions> = {}) =>
  new Measurement({ from: opening(0, 0), rate: 20, least: 0, expected: 0, isUrgent: false, windowMs: 1_000, ...own });

describe("a measurement of 10 requests per second", () => {
  test("counts from one opening to another, and finds slightly less", () => {
    const measured = measurement();
    const found = [1, 2, 3, 4].map((second) =>
      measured.opened(opening(1_000 * second, 10 * second), 1_000 * second - 50),
    );
    expect(found.slice(0, 3)).toEqual([undefined, undefined, undefined]);
    expect(found[3]).toBe((0.985 * 39.5) / 4);
  });

  test("sends slightly faster than it has counted", () => {
    const measured = measurement();
    measured.opened(opening(1_000, 10), 500);
    expect(measured.rate).toBe(0.6 * 20);
    measured.opened(opening(2_000, 20), 1_900);
    expect(measured.rate).toBe(1.05 * 9.75);
  });

  test("draws no conclusion from less than half a window, unless it is urgent", () => {
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

  test("continues while its begin or end is uncertain, from the more certain one", () => {
    const measured = measurement({ from: opening(0, 0, 400) });
    for (const second of [1, 2, 3]) measured.opened(opening(1_000 * second, 10 * second, 50), 1_000 * second - 100);
    expect(measured.opened(opening(4_000, 40, 50), 3_900)).toBeUndefined();
    for (const second of [5, 6, 7]) measured.opened(opening(1_000 * second, 10 * second, 50), 1_000 * second - 100);
    expect(measured.opened(opening(8_000, 80, 50), 7_900)).toBe((0.985 * 39.5) / 4);
  });

  test("starts again when the quota was not used in full", () => {
    const measured = measurement({ rate: 25 });
    expect(measured.opened(opening(5_000, 40), 4_900)).toBeUndefined();
    for (const second of [6, 7, 8]) measured.opened(opening(1_000 * second, 10 * second - 10), 1_000 * second - 100);
    expect(measured.opened(opening(9_000, 80), 8_900)).toBe((0.985 * 39.5) / 4);
  });

  test("starts at its first opening at a rate at which probes one at a time waste many requests", () => {
    const measured = measurement({ rate: 26, isUrgent: true });
    expect(measured.opened(opening(1_000, 20), 900)).toBeUndefined();
    expect(measured.opened(opening(2_000, 30), 1_900)).toBeUndefined();
    expect(measured.opened(opening(3_000, 40), 2_900)).toBe((0.985 * 19.5) / 2);
  });

  test("is repeated when it finds much less than expected", () => {
    const measured = measurement({ expected: 20, isUrgent: true });
    measured.opened(opening(1_000, 10), 900);
    expect(measured.opened(opening(2_000, 20), 1_900)).toBeUndefined();
    measured.opened(opening(3_000, 30), 2_900);
    expect(measured.opened(opening(4_000, 40), 3_900)).toBe((0.985 * 19.5) / 2);
  });

  test("starts again after the quota was closed", () => {
    const measured = measurement({ isUrgent: true });
    measured.opened(opening(1_000, 10), 900);
    measured.restart(opening(61_000, 12));
    measured.opened(opening(62_000, 22), 61_900);
    expect(measured.opened(opening(63_000, 32), 62_900)).toBe((0.985 * 19.5) / 2);
  });
});

test("a quota that stays used up for longer than its assumed window has a longer window", () => {
  const measured = measurement({ windowMs: 8_000, rate: 10 });
  measured.opened(opening(60_000, 100), 9_000);
  expect(measured.windowMs).toBe(51_000);
});

test("a step without a 429 was too slow, and no estimate is below the lower bound", () => {
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
])("with a window of %i ms a step takes %i ms", (windowMs, stepMs) => {
  expect(measurement({ windowMs }).stepMs).toBe(stepMs);
});

test("for a quota that is never used in full, the accepted requests are the result in the end", () => {
  const measured = measurement({ rate: 60 });
  const found = [2, 4, 6, 8].map((second) =>
    measured.opened(opening(1_000 * second, 18 * second), 1_000 * second - 10),
  );
  expect(found).toEqual([undefined, undefined, undefined, (0.985 * 108) / 6]);
});

describe("the limits of a measurement", () => {
  const atOnce = (own: Partial<MeasurementOptions>, at: number, taken: number, usedUpAt = at) =>
    measurement(own).opened(opening(at, taken), usedUpAt);
  const rateAfter = (own: Partial<MeasurementOptions>, at: number, taken: number) => {
    const measured = measurement(own);
    measured.opened(opening(at, taken), at);
    return measured.rate;
  };

  test.each([
    { isUrgent: false, least: 35 },
    { isUrgent: true, least: 20 },
  ])("it takes $least requests when urgent is $isUrgent", ({ isUrgent, least }) => {
    expect(atOnce({ isUrgent }, 2_000, least - 1)).toBeUndefined();
    expect(atOnce({ isUrgent }, 2_000, least)).toBe((0.985 * (least - 0.5)) / 2);
  });

  test.each([
    { windowMs: 1_000, leastMs: 2_000 },
    { windowMs: 4_999, leastMs: 9_998 },
    { windowMs: 5_000, leastMs: 5_000 },
    { windowMs: 9_000, leastMs: 9_000 },
  ])("with a window of $windowMs ms it takes $leastMs ms", ({ windowMs, leastMs }) => {
    const own = { windowMs, rate: 4 };
    expect(atOnce(own, leastMs - 1, 40)).toBeUndefined();
    expect(atOnce(own, leastMs, 40)).toBe(0.985 * ((1_000 * 39.5) / leastMs));
  });

  test("it continues if the quota was used in full: within 1.2 windows, or 45 requests, of the last opening", () => {
    // 45 requests at 20 per second.
    expect(atOnce({}, 3_000, 40, 2_250)).toBe((0.985 * 39.5) / 3);
    expect(atOnce({}, 3_000, 40, 2_251)).toBeUndefined();
    expect(atOnce({ windowMs: 2_000 }, 4_000, 40, 2_400)).toBe((0.985 * 39.5) / 4);
    expect(atOnce({ windowMs: 2_000 }, 4_000, 40, 2_401)).toBeUndefined();
  });

  test("it starts at the given opening up to 25 per second", () => {
    expect(atOnce({ rate: 25 }, 2_000, 50, 1_800)).toBe((0.985 * 49.5) / 2);
    expect(atOnce({ rate: 25.01 }, 2_000, 50, 1_790)).toBeUndefined();
  });

  test("the mean uncertainty of both ends may be 3 % of its length", () => {
    const unsure = (first: number, last: number) =>
      measurement({ from: opening(0, 0, first) }).opened(opening(2_000, 40, last), 1_900);
    expect(unsure(100, 20)).toBe((0.985 * 39.5) / 2);
    expect(unsure(100, 21)).toBeUndefined();
  });

  test("if both ends are equally uncertain it continues from the first, slightly faster than it has counted", () => {
    const measured = measurement({ from: opening(0, 0, 100) });
    expect(measured.opened(opening(2_000, 40, 100), 1_900)).toBeUndefined();
    expect(measured.rate).toBe((1.05 * 39.5) / 2);

    expect(measured.opened(opening(4_000, 80, 100), 3_900)).toBe((0.985 * 79.5) / 4);
  });

  test("it is repeated below 0.93 of the expected rate, at twice the usual factor above its count", () => {
    const expecting = (expected: number) => {
      const measured = measurement({ expected });
      return [measured.opened(opening(2_000, 40), 1_900), measured.rate];
    };
    expect(expecting(21)).toEqual([(0.985 * 39.5) / 2, 20]);
    expect(expecting(21.5)).toEqual([undefined, (1.05 * 1.05 * 39.5) / 2]);
  });

  test("an estimate takes 5 requests, 250 ms, and half of a window of up to 5 s unless it is urgent", () => {
    const urgent = { isUrgent: true, rate: 10 };
    expect([rateAfter(urgent, 250, 4), rateAfter(urgent, 249, 5)]).toEqual([10, 10]);
    expect(rateAfter(urgent, 250, 5)).toBe(1.05 * 18);

    const calm = { windowMs: 60_000, rate: 10 };
    expect(rateAfter(calm, 2_499, 35)).toBe(10);
    expect(rateAfter(calm, 2_500, 35)).toBe(1.05 * 13.8);
  });

  test("the next estimate comes 250 ms after the last one", () => {
    const measured = measurement({ isUrgent: true, rate: 10, from: opening(1_000, 0) });
    const rates = [1_250, 1_499, 1_500].map((at) => {
      measured.opened(opening(at, 5), at);
      return measured.rate;
    });

    expect(rates).toEqual([1.05 * 18, 1.05 * 18, 0.6 * (1.05 * 18)]);
  });

  test("a quota that was used up for the whole measurement says nothing about the window", () => {
    const windowAfter = (usedUpAt: number) => {
      const measured = measurement();
      measured.opened(opening(1_900, 10), usedUpAt);
      return measured.windowMs;
    };
    expect([windowAfter(0), windowAfter(1)]).toEqual([1_000, 1_899]);
  });

  test("a step is a quarter of a window, and 0.8 of a short one once the rate has drawn a 429", () => {
    const steps = [2_000, 4_999, 5_000].map((windowMs) => {
      const measured = measurement({ windowMs });
      const before = measured.stepMs;
      measured.opened(opening(1_000, 10), 900);
      return [before, measured.stepMs];
    });
    expect(steps).toEqual([
      [500, 1_600],
      [1_249.75, 0.8 * 4_999],
      [1_250, 1_250],
    ]);
    expect(measurement().stepRequests).toBe(3);
  });
});

describe("a quota that is never used in full is the number of accepted requests", () => {
  /** Opens again at the given times, and is not used up in between. */
  const inTheEnd = (windowMs: number, times: readonly number[]) => {
    const measured = measurement({ rate: 60, windowMs });
    const open = (at: number) => measured.opened(opening(at, at / 100), at - 1);
    return { measured, open, found: times.map(open) };
  };

  test.each([
    { windowMs: 100, leastMs: 6_000 },
    { windowMs: 1_500, leastMs: 9_000 },
  ])("after $leastMs ms with a window of $windowMs ms", ({ windowMs, leastMs }) => {
    expect(inTheEnd(windowMs, [2_000, 4_000, 1_999 + leastMs]).found).toEqual([undefined, undefined, undefined]);
    expect(inTheEnd(windowMs, [2_000, 4_000, 2_000 + leastMs]).found).toEqual([undefined, undefined, 9.85]);
  });

  test("counted from the last time that it was closed", () => {
    const { measured, open } = inTheEnd(100, [2_000, 4_000]);
    measured.restart(opening(6_000, 60));

    expect([open(11_999), open(14_000)]).toEqual([undefined, 9.85]);
  });
});
