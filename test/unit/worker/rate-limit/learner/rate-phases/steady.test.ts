import { describe, expect, test } from "vitest";
import { known, learned, opening, reopen, requestsUntilProbe, take } from "./driven.ts";

describe("a known rate", () => {
  test("is sent from the start", () => {
    const { is, rate, base, windowMs, learned: found } = known();

    expect([is, rate, base, windowMs, found]).toEqual(["steady", 20, 20, 1_000, learned]);
  });

  test("is tried again by a probe after 236 requests and 4 s, a twentieth faster", () => {
    const phases = known();
    take(phases, 235);
    phases.advance(4_000, 4_000, 0);
    expect(phases.is).toBe("steady");
    phases.taken(0);
    phases.advance(3_999, 3_999, 0);
    expect(phases.is).toBe("steady");
    phases.advance(4_000, 4_000, 0);

    expect([phases.is, phases.rate, phases.base]).toEqual(["probing", 21, 20]);
  });

  test("is probed later with a longer window, or with longer waits on request of the service", () => {
    const ends = [known({ windowMs: 60_000 }), known()].map((phases, i) => {
      take(phases, 236);
      return [29_999, 30_000].map((now) => {
        phases.advance(now, now, i * 1_000);
        return phases.is;
      });
    });

    expect(ends).toEqual([
      ["steady", "probing"],
      ["steady", "probing"],
    ]);
  });

  test("is reduced slightly by an unexpected 429, and the time to the next probe starts again", () => {
    const phases = known();
    take(phases, 235);
    reopen(phases, { from: 12_000, at: 12_100 });

    const corrected = { ...learned, perSecond: 0.985 * 20 };
    expect([phases.is, phases.rate, phases.learned]).toEqual(["steady", 0.985 * 20, corrected]);
    expect(requestsUntilProbe(phases, 16_120)).toBe(236);
  });

  test.each([
    { perSecond: 20, windowMs: 1_000, soonMs: 2_000 },
    { perSecond: 20, windowMs: 100, soonMs: 1_000 },
    { perSecond: 5, windowMs: 1_000, soonMs: 4_000 },
  ])("$perSecond in $windowMs ms is measured again when the next 429 comes within $soonMs ms", (own) => {
    const phaseAfter = (ms: number) => {
      const phases = known(own);
      reopen(phases, { before: opening(10_000, 100), from: 10_000 + ms, at: 10_050 + ms, taken: 110 });
      return phases.is;
    };

    expect([phaseAfter(own.soonMs - 1), phaseAfter(own.soonMs)]).toEqual(["measuring", "steady"]);
  });

  test("changes at once where 20 requests and two windows lie between two 429s", () => {
    const reopened = (taken: number) => {
      const phases = known({ burst: 7 });
      reopen(phases, { before: opening(10_000, 100), from: 11_900, at: 12_000, taken });
      return phases;
    };

    const cut = reopened(120);
    expect([cut.is, cut.rate]).toEqual(["steady", (0.985 * 19.5) / 2]);
    // A rate that is so much smaller has no known burst.
    expect(cut.learned).toEqual({ perSecond: (0.985 * 19.5) / 2, burst: 0, windowMs: 1_000 });
    // The rate is right as far as known, but the change may soon be reverted.
    expect(requestsUntilProbe(cut, 16_020)).toBe(25);

    const unsure = reopened(119);
    expect([unsure.is, unsure.rate, unsure.learned?.perSecond]).toEqual(["measuring", 0.6 * 20, 20]);
  });

  test("is searched between a quarter of the rate and the rate itself where the service says how long to wait", () => {
    const phases = known();
    reopen(phases, { before: opening(10_000, 100), from: 11_900, at: 12_000, taken: 120, isTold: true });

    expect([phases.is, phases.rate]).toEqual(["measuring", 10]);
  });
});

describe("a quota that was closed", () => {
  test("keeps its rate if it was away for 5 s and one and a half windows", () => {
    const rateAfter = (windowMs: number, ms: number) => {
      const phases = known({ windowMs });
      reopen(phases, { from: 100_000, at: 100_000 + ms });
      return phases.rate;
    };

    expect([rateAfter(1_000, 5_000), rateAfter(1_000, 5_001)]).toEqual([0.985 * 20, 20]);
    expect([rateAfter(4_000, 6_000), rateAfter(4_000, 6_001)]).toEqual([0.985 * 20, 20]);
  });

  test("is measured if it was closed twice in a row, and that measurement goes on", () => {
    const phases = known();
    reopen(phases, { from: 100_000, at: 110_000 });
    expect([phases.is, phases.learned]).toEqual(["steady", learned]);
    reopen(phases, { before: opening(110_000, 10), from: 120_000, at: 130_000, taken: 20 });
    expect(phases.is).toBe("measuring");
    reopen(phases, { before: opening(130_000, 20), from: 140_000, at: 150_000, taken: 40 });

    // 20 requests in the 20 s since: the quota was never used in full.
    expect([phases.is, phases.rate]).toEqual(["steady", 0.985]);
  });

  test("is probed soon, since it may have changed", () => {
    const phases = known();
    reopen(phases, { from: 100_000, at: 110_000 });

    expect(requestsUntilProbe(phases, 114_020)).toBe(25);
  });

  test("counts as closed once if a 429 came before it was closed again", () => {
    const phases = known();
    reopen(phases, { from: 100_000, at: 110_000 });
    reopen(phases, { before: opening(110_000), from: 120_000, at: 120_100 });
    reopen(phases, { before: opening(120_000), from: 130_000, at: 140_000 });

    expect([phases.is, phases.rate]).toEqual(["steady", 0.985 * 20]);
  });
});
