import { describe, expect, test } from "vitest";
import { evenly, known, learned, opening, reopen, requestsUntilProbe, send, take } from "./driven.ts";

/**
 * A measurement of a quota that was 20 per second. It began at 10,000 with 100 accepted requests, and has an estimate
 * of half the quota.
 */
function measuring() {
  const phases = known({ burst: 7 });
  reopen(phases, { before: opening(10_000, 100), from: 10_900, at: 11_000, taken: 110 });
  return phases;
}

describe("a measurement", () => {
  test("sends faster after a used step without a 429, and at the same rate after an unused step", () => {
    const phases = measuring();
    expect([phases.is, phases.rate]).toEqual(["measuring", 12]);
    // A step is 0.8 of the window, since the rate has drawn a 429.
    send(phases, evenly(11_020, 7, 10));
    phases.advance(11_819, 11_819, 0);
    expect(phases.rate).toBe(12);
    phases.advance(11_820, 11_820, 0);
    expect(phases.rate).toBe(1.15 * 12);
    send(phases, evenly(11_820, 7, 10));
    phases.advance(12_620, 12_620, 0);
    expect(phases.rate).toBe(1.15 * 12);
    send(phases, evenly(12_620, 8, 10));
    phases.advance(13_420, 13_420, 0);

    expect(phases.rate).toBe(1.15 * 12 * 1.15);
  });

  test("begins its step at the opening", () => {
    const phases = measuring();
    send(phases, [11_020]);
    reopen(phases, { from: 11_100, at: 11_200, taken: 111 });
    const { rate } = phases;
    send(phases, evenly(11_220, 20, 10));
    phases.advance(12_019, 12_019, 0);
    expect(phases.rate).toBe(rate);
    phases.advance(12_020, 12_020, 0);

    expect(phases.rate).toBe(1.15 * rate);
  });

  test("continues from the next opening when the quota was closed meanwhile", () => {
    const phases = measuring();
    reopen(phases, { from: 12_000, at: 72_000, taken: 120 });
    reopen(phases, { from: 72_900, at: 73_000, taken: 130 });
    expect(phases.is).toBe("measuring");
    reopen(phases, { from: 73_900, at: 74_000, taken: 140 });

    expect([phases.is, phases.rate]).toEqual(["steady", (0.985 * 19.5) / 2]);
  });

  test("is given up for the known rate when the service was down", () => {
    const phases = measuring();
    phases.restart(20_000);
    expect([phases.is, phases.rate, phases.base, phases.learned]).toEqual(["steady", 20, 20, { ...learned, burst: 7 }]);
    take(phases, 300);
    phases.advance(23_999, 23_999, 0);
    expect(phases.is).toBe("steady");
    phases.advance(24_000, 24_000, 0);

    expect(phases.is).toBe("probing");
  });

  test("forgets that the quota was closed when it is given up", () => {
    const phases = measuring();
    reopen(phases, { from: 12_000, at: 72_000, taken: 120 });
    phases.restart(80_000);
    reopen(phases, { from: 90_000, at: 100_000, taken: 130 });

    expect([phases.is, phases.rate]).toEqual(["steady", 20]);
  });

  test("never ends below one request in ten minutes", () => {
    const phases = measuring();
    reopen(phases, { from: 12_000, at: 24_000_000, taken: 110 });
    reopen(phases, { from: 24_001_000, at: 48_000_000, taken: 130 });
    reopen(phases, { from: 48_000_900, at: 48_001_000, taken: 130 });

    expect(phases.base).toBe(1 / 600);
  });

  test("forgives the first 429 of the second after its end", () => {
    const ended = (...forgiven: readonly number[]) => {
      const phases = measuring();
      reopen(phases, { from: 11_900, at: 12_000, taken: 120 });
      const { rate } = phases;
      for (const from of forgiven) reopen(phases, { before: opening(12_000, 120), from, at: from + 10, taken: 130 });
      return [phases.is, phases.rate === rate];
    };

    expect(ended(13_019)).toEqual(["steady", true]);
    expect(ended(13_020)).toEqual(["measuring", false]);
    expect(ended(12_500, 12_900)).toEqual(["measuring", false]);
  });

  test("finds a window that is longer than assumed, and forgives a 429 within that time", () => {
    const phases = measuring();
    reopen(phases, { from: 11_900, at: 13_400, taken: 129 });
    const found = { perSecond: 0.985 * ((1_000 * 28.5) / 3_400), burst: 0, windowMs: 1_500 };
    expect(phases.learned).toEqual(found);
    reopen(phases, { before: opening(13_400, 129), from: 14_919, at: 15_000, taken: 140 });

    expect([phases.is, phases.learned]).toEqual(["steady", found]);
  });
});

test("a bracket is narrowed by 429s and by steps without one, and may end with either", () => {
  const phases = known({ burst: 7 });
  reopen(phases, { before: opening(10_000, 100), from: 11_900, at: 12_000, taken: 120, isTold: true });
  /** A step takes 2 s and 20 requests. */
  const pass = (from: number) => {
    send(phases, evenly(from, 50, 10));
    phases.advance(from + 2_000, from + 2_000, 0);
  };
  pass(12_020);
  expect(phases.rate).toBeCloseTo(Math.sqrt(10 * 20), 9);
  reopen(phases, { from: 14_900, at: 15_000, taken: 130, isTold: true });
  expect(phases.rate).toBeCloseTo(Math.sqrt(10 * Math.sqrt(200)), 9);
  pass(15_020);
  expect(phases.is).toBe("measuring");
  // The bracket is close to 14.14 by now, so a fifth of the way is tried.
  const passed = 10 * 2 ** (1 / 4);
  const failed = passed * 2 ** (1 / 20);
  expect(phases.rate).toBeCloseTo(failed, 9);
  reopen(phases, { from: 18_900, at: 19_000, taken: 160, isTold: true });
  expect(phases.is).toBe("measuring");
  pass(19_020);

  expect(phases.is).toBe("steady");
  expect(phases.rate).toBeCloseTo(0.985 * passed * 2 ** (1 / 100), 9);
  // The time to the next probe begins with the end of the bracket. The bracket has found a smaller quota, which is
  // right as far as known.
  take(phases, 25);
  phases.advance(25_019, 25_019, 0);
  expect(phases.is).toBe("steady");
  phases.advance(25_020, 25_020, 0);
  expect(phases.is).toBe("probing");
});

test.each([
  { name: "of which a rate did not pass is right as far as is known", hasFailed: true, requests: 236 },
  { name: "of which all passed is tried soon", hasFailed: false, requests: 20 },
])("a bracket $name: after $requests requests", ({ hasFailed, requests }) => {
  const phases = known();
  reopen(phases, { before: opening(10_000, 100), from: 11_900, at: 12_000, taken: 120, isTold: true });
  for (let from = 12_020; phases.is === "measuring"; from += 3_000) {
    if (hasFailed && phases.rate > 19) {
      reopen(phases, { from: from + 900, at: from + 1_000, taken: 130, isTold: true });
      continue;
    }
    send(phases, evenly(from, 50, 10));
    phases.advance(from + 2_000, from + 2_000, 0);
  }

  expect(phases.base / 20).toBeGreaterThan(0.9);
  expect(requestsUntilProbe(phases, 1_000_000)).toBe(requests);
});
