import { describe, expect, test } from "vitest";
import { RatePhases } from "../../../../../../src/worker/rate-limit/learner/rate-phases.ts";
import { evenly, reopen, requestsUntilProbe, send, take } from "./driven.ts";

/** A search with used steps, as many as reach the given rate. */
function searching(rate: number) {
  const phases = new RatePhases(undefined);
  let at = 0;
  for (; phases.rate < rate; at += 1_000) {
    send(phases, evenly(at, 1_000, 1));
    phases.advance(at + 1_000, at + 1_000, 0);
  }
  return { phases, at };
}

describe("a search", () => {
  test("begins at ten per second, and knows nothing", () => {
    const { is, rate, base, windowMs, learned: found } = new RatePhases(undefined);

    expect([is, rate, base, windowMs, found]).toEqual(["searching", 10, 10, 0, undefined]);
  });

  test("continues after five requests and a quarter of a second", () => {
    const rateAfter = (count: number, ms: number) => {
      const phases = new RatePhases(undefined);
      send(phases, evenly(0, count, 10));
      phases.advance(ms, ms, 0);
      return phases.rate;
    };

    expect([rateAfter(4, 250), rateAfter(5, 249), rateAfter(5, 250)]).toEqual([10, 10, 20]);
  });

  test("does not continue where less than 0.7 of its rate was used, and counts from the start", () => {
    const phases = new RatePhases(undefined);
    send(phases, evenly(0, 6, 10));
    phases.advance(1_000, 1_000, 0);
    expect(phases.rate).toBe(10);
    send(phases, [1_500], 6);
    reopen(phases, { from: 2_400, at: 2_500, taken: 16 });

    expect([phases.is, phases.base, phases.windowMs]).toEqual(["measuring", 10, 1_000]);
  });

  test("ends with the first 429 in a measurement, at most two and a half times as fast as the accepted requests", () => {
    const found = [320, Number.POSITIVE_INFINITY].map((rate) => {
      const { phases, at } = searching(rate);
      reopen(phases, { from: at, at: at + 1_000, taken: (at / 1_000 + 1) * 200 });
      return [phases.is, phases.base, phases.windowMs, phases.rate, phases.learned];
    });

    expect(found).toEqual([
      ["measuring", 200, 6_000, 320, undefined],
      ["measuring", 200, 7_000, 500, undefined],
    ]);
  });

  test("ends in a bracket around the accepted rate where the service says how long to wait", () => {
    const found = [10, 80, Number.POSITIVE_INFINITY].map((rate) => {
      const { phases, at } = searching(rate);
      reopen(phases, { from: at, at: at + 1_000, taken: (at / 1_000 + 1) * 40, isTold: true });
      return [phases.rate, phases.windowMs];
    });

    // At 10 no more passed than failed. The window is the time for which the quota was used up, not the time of the
    // search.
    expect(found).toEqual([
      [10, 1_000],
      [Math.sqrt(40 * 80), 1_000],
      [Math.sqrt(40 * 320), 1_000],
    ]);
  });

  test("never sends less than one request in ten minutes", () => {
    const phases = new RatePhases(undefined);
    send(phases, [0]);
    reopen(phases, { from: 0, at: 3_600_000, taken: 1 });

    expect(phases.base).toBe(1 / 600);
  });

  test("uses its result as the lowest rate of a measurement, and as its expected rate", () => {
    const phases = new RatePhases(undefined);
    send(phases, [0]);
    reopen(phases, { from: 900, at: 1_000, taken: 8 });
    expect([phases.base, phases.rate]).toEqual([8, 10]);
    // The estimate would be 3.75 per second.
    reopen(phases, { from: 2_900, at: 3_000, taken: 16 });
    expect(phases.rate).toBe(8);
    // 35 requests in time, but less than 0.93 of 8 per second: the measurement is repeated.
    reopen(phases, { from: 5_900, at: 6_000, taken: 43 });

    expect(phases.is).toBe("measuring");
  });

  test("and its measurement know no burst, and the result is probed after 20 requests, then as after a change", () => {
    const ended = (taken: number) => {
      const phases = new RatePhases(undefined);
      send(phases, [0]);
      reopen(phases, { from: 900, at: 1_000, taken: 8 });
      reopen(phases, { from: 5_400, at: 6_000, taken: 48 });
      expect(phases.learned).toEqual({ perSecond: 0.985 * 7.9, burst: 0, windowMs: 1_000 });
      expect(requestsUntilProbe(phases, 7_020)).toBe(20);
      take(phases, taken);
      reopen(phases, { from: 8_020, at: 8_120, taken: 79 });
      return phases;
    };

    // 7.9 per second, and four more: no more is tolerated before a probe has confirmed the rate.
    expect(ended(12).is).toBe("measuring");
    expect(requestsUntilProbe(ended(11), 12_140)).toBe(29);
  });

  test("starts again when the service was down", () => {
    const { phases, at } = searching(80);
    reopen(phases, { from: at, at: at + 1_000, taken: 100 });
    phases.restart(at + 2_000);
    expect([phases.is, phases.rate, phases.base, phases.windowMs]).toEqual(["searching", 10, 10, 0]);

    send(phases, evenly(at + 2_000, 5, 10));
    phases.advance(at + 2_249, at + 2_249, 0);
    expect(phases.rate).toBe(10);
    phases.advance(at + 2_250, at + 2_250, 0);

    expect(phases.rate).toBe(20);
  });
});
