import { describe, expect, test } from "vitest";
import type { RatePhases } from "../../../../../../src/worker/rate-limit/learner/rate-phases.ts";
import {
  evenly,
  known,
  type learned,
  opening,
  type Reopening,
  reopen,
  requestsUntilProbe,
  send,
  take,
} from "./driven.ts";

/** The rate that is sent after 20 per second were measured. */
const BASE = 0.985 * 20;

/** A probe of the measured rate, begun at 4,000. */
function probing(own: Partial<typeof learned> = {}) {
  const phases = known({ perSecond: BASE, ...own });
  take(phases, 236);
  phases.advance(4_000, 4_000, 0);
  return phases;
}

/** After a second, with `taken` requests accepted, the probe draws a 429. */
function end(phases: RatePhases, taken: number, own: Partial<Reopening> = {}) {
  take(phases, taken);
  reopen(phases, { from: 5_000, at: 5_100, taken: 300, ...own });
  return phases;
}

describe("a probe", () => {
  test.each([
    { burst: 0, windowMs: 0, most: 24 },
    { burst: 10, windowMs: 0, most: 37 },
    { burst: 0, windowMs: 2_000, most: 29 },
  ])("may get $most of 20 accepted without news with a burst of $burst in $windowMs ms", ({ most, ...own }) => {
    const kept = end(probing(own), most);
    expect([kept.is, kept.rate]).toEqual(["steady", BASE]);
    // No step has passed, so the measurement starts at the rate before the probe.
    const news = end(probing(own), most + 1);
    expect([news.is, news.rate]).toEqual(["measuring", 1.05 * BASE]);
  });

  test("delays the next probe if it draws more 429s", () => {
    const next = (refusals: number) => requestsUntilProbe(end(probing(), 20, { refusals }), 9_120);

    expect([next(2), next(6)]).toEqual([236, 353]);
  });

  test("begins its step itself", () => {
    const phases = known();
    send(phases, [0]);
    take(phases, 236);
    phases.advance(4_000, 4_000, 0);
    send(phases, evenly(4_000, 20, 10));
    phases.advance(4_499, 4_499, 0);
    expect(phases.rate).toBe(21);
    phases.advance(4_500, 4_500, 0);

    expect(phases.rate).toBeCloseTo(23, 9);
  });

  test("goes faster by steps, and news is measured from the last step that passed", () => {
    const phases = probing();
    send(phases, evenly(4_000, 8, 10));
    phases.advance(4_499, 4_499, 0);
    expect(phases.rate).toBe(BASE * 1.05);
    phases.advance(4_500, 4_500, 0);
    expect(phases.rate).toBeCloseTo(BASE * 1.15, 9);

    expect(end(phases, 40).rate).toBeCloseTo(1.05 * BASE * 1.05, 9);
  });

  test("goes beyond double the rate only with news", () => {
    const rateAfter = (taken: number) => {
      const phases = probing({ windowMs: 0 });
      let at = 4_000;
      for (; at < 6_000; at += 500) {
        send(phases, evenly(at, 100, 1));
        phases.advance(at + 500, at + 500, 0);
      }
      expect(phases.rate).toBeCloseTo(BASE * 2.35, 9);
      // 50 requests would be no news after 2.5 s, and 54 are tolerated.
      take(phases, taken);
      send(phases, evenly(at, 100, 1));
      phases.advance(at + 500, at + 500, 0);
      return phases.rate;
    };

    expect(rateAfter(54)).toBeCloseTo(BASE * 2.35, 9);
    expect(rateAfter(55)).toBeCloseTo(BASE * 5.05, 9);
  });

  test("ends when the quota was closed, without new information", () => {
    const phases = probing();
    reopen(phases, { from: 4_100, at: 64_000, taken: 300 });

    expect([phases.is, phases.rate]).toEqual(["steady", BASE]);
  });

  test("ends when the load does not use it, and still raises the rate by the accepted requests", () => {
    const ended = (taken: number, ms: number, isFirstStepUsed = true) => {
      const phases = probing({ windowMs: 0 });
      if (isFirstStepUsed) {
        send(phases, evenly(4_000, 100, 1));
        phases.advance(4_500, 4_500, 0);
      }
      take(phases, taken);
      send(phases, evenly(4_500, 3, 10));
      phases.advance(4_000 + ms, 4_000 + ms, 0);
      return phases;
    };

    const little = ended(44, 2_000);
    expect([little.is, little.rate]).toEqual(["steady", BASE]);
    // One more than is tolerated. The rate is never faster than a step that passed, nor than the accepted requests.
    expect(ended(45, 2_000, false).rate).toBe(BASE);
    expect(ended(45, 2_000).rate).toBeCloseTo(0.985 * 1.05 * BASE, 9);
    const slow = ended(205, 10_000);
    expect([slow.rate, slow.learned?.perSecond]).toEqual([0.985 * 20.5, 0.985 * 20.5]);
    // The time to the next probe begins with the end of this one.
    take(slow, 300);
    slow.advance(17_999, 17_999, 0);
    expect(slow.is).toBe("steady");
    slow.advance(18_000, 18_000, 0);
    expect(slow.is).toBe("probing");
  });

  test("raises the rate to the accepted requests since the quota was last used up, over 30 requests and three windows", () => {
    const raised = (perSecond: number, count: number, ms: number) => {
      const phases = probing({ perSecond: 0.985 * perSecond });
      reopen(phases, { before: opening(100_000 - ms, 300 - count), from: 99_900, at: 100_000, taken: 300 });
      return phases.learned?.perSecond;
    };

    expect([raised(20, 63, 3_000), raised(20, 63, 2_999)]).toEqual([0.985 * 21, BASE]);
    expect([raised(2, 30, 9_000), raised(2, 29, 9_000)]).toEqual([(0.985 * 1_000 * 30) / 9_000, 0.985 * 2]);
    // The rate is never lowered.
    expect(raised(20, 30, 3_000)).toBe(BASE);
  });

  test("is followed by a bracket from the known rate where the service says how long to wait", () => {
    const phases = probing();
    send(phases, evenly(4_000, 8, 10));
    phases.advance(4_500, 4_500, 0);

    expect(end(phases, 40, { isTold: true }).rate).toBeCloseTo(BASE * 1.15 ** 0.2, 9);
  });

  test.each([
    { isTold: true, from: 6_119, is: "steady" },
    { isTold: true, from: 6_120, is: "measuring" },
    { isTold: false, from: 6_119, is: "measuring" },
  ] as const)("has an echo only where a 429 says how long to wait ($isTold): at $from it is $is", (own) => {
    const { isTold, from, is } = own;
    const phases = end(probing(), 20, { isTold });
    expect([phases.is, phases.rate]).toEqual(["steady", BASE]);
    reopen(phases, { before: opening(5_100, 300), from, at: from + 100, taken: 320, isTold });

    expect(phases.is).toBe(is);
  });

  test("finds a burst where the rate is unchanged", () => {
    /** A probe that gets 40 requests of 20 accepted, and a measurement that finds `perSecond`. */
    const measured = (perSecond: number, burst: number) => {
      const phases = end(probing({ burst }), 40);
      expect(phases.is).toBe("measuring");
      reopen(phases, { from: 7_000, at: 7_100, taken: 300 + 2 * perSecond + 0.5 });
      return phases;
    };

    const same = measured(20, 0);
    expect(same.learned).toEqual({ perSecond: BASE, burst: 1.05 * 20, windowMs: 1_000 });
    expect([measured(20, 5), measured(21.5, 3), measured(21.7, 3)].map(({ learned: found }) => found?.burst)).toEqual([
      1.05 * 20,
      1.05 * 20,
      3,
    ]);
    // The rate is probed soon, since nothing has confirmed it. Once it is confirmed, the schedule is as before.
    expect(requestsUntilProbe(same, 8_120)).toBe(20);
    reopen(same, { from: 8_200, at: 8_300, taken: 400 });
    expect(requestsUntilProbe(same, 12_320)).toBe(184);
  });

  test("is soon followed by others when it finds another quota", () => {
    const phases = end(probing(), 40);
    reopen(phases, { from: 7_000, at: 7_100, taken: 360 });
    expect([phases.rate, phases.learned?.burst]).toEqual([0.985 * 29.75, 0]);
    expect(requestsUntilProbe(phases, 8_120)).toBe(20);
    reopen(phases, { from: 8_200, at: 8_300, taken: 400 });

    expect(requestsUntilProbe(phases, 12_320)).toBe(29);
  });
});
