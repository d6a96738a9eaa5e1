import { describe, expect, test } from "vitest";
import type { LearnedQuota } from "../../../../../src/worker/rate-limit/learner/learned-quota.ts";
import { RateLearner } from "../../../../../src/worker/rate-limit/learner/rate-learner.ts";

const middle = () => 0.5;
const known = (own: Partial<LearnedQuota> = {}) =>
  new RateLearner(middle, { perSecond: 20, burst: 0, windowMs: 1_000, ...own });

/**
 * Sends requests at these times that get a 429 20 ms later. The first request is the one that finds the quota used up.
 */
function refuse(learner: RateLearner, toldMs: number, ...sentAt: readonly number[]): void {
  for (const at of sentAt) learner.refused(learner.sent(at), at + 20, toldMs);
}

/** Sends requests at these times that are accepted 20 ms later. */
function take(learner: RateLearner, ...sentAt: readonly number[]): void {
  for (const at of sentAt) learner.taken(learner.sent(at), at + 20);
}

const evenly = (from: number, count: number, gapMs: number) =>
  Array.from({ length: count }, (_, i) => from + gapMs * i);

/**
 * A learner in a measurement that sends at `rate` until it has an estimate. The quota was closed, and then used up at
 * once.
 */
function measuring(rate: number): RateLearner {
  const learner = known({ perSecond: rate });
  refuse(learner, 0, 0, 9_990);
  take(learner, 10_000);
  refuse(learner, 0, 10_100);
  take(learner, 10_300);
  expect(learner.minTimeMs).toBe(1_000 / rate);
  return learner;
}

describe("a used-up quota is probed", () => {
  test.each([
    { perSecond: 20, windowMs: 1_000, waitMs: 50 },
    { perSecond: 16, windowMs: 1_000, waitMs: 156.25 },
    { perSecond: 500, windowMs: 100, waitMs: 5 },
    { perSecond: 500, windowMs: 60_000, waitMs: 600 },
  ])("after $waitMs ms where $perSecond per second are known in $windowMs ms, and then after twice as long", (own) => {
    const learner = known(own);
    refuse(learner, 0, 0);
    expect(learner.waitMs(20)).toBe(own.waitMs);
    refuse(learner, 0, 700);

    expect(learner.waitMs(720)).toBe(Math.max(2 * own.waitMs, 72));
  });

  test("as soon while a faster rate is tried", () => {
    const learner = known();
    for (let at = 0; learner.minTimeMs === 50; at += 50) take(learner, at);
    refuse(learner, 0, 60_000);
    expect(learner.waitMs(60_020)).toBe(50);
    refuse(learner, 0, 60_100);

    expect(learner.waitMs(60_120)).toBe(100);
  });

  test("after half a gap each time while the rate is searched", () => {
    const learner = new RateLearner(middle);
    refuse(learner, 0, 0);
    expect(learner.waitMs(20)).toBe(50);
    refuse(learner, 0, 100);

    expect(learner.waitMs(120)).toBe(50);
  });

  test("after 5 s at most during a measurement, however slow the rate", () => {
    const learner = new RateLearner(middle);
    take(learner, 0);
    refuse(learner, 0, 100);
    take(learner, 20_000);
    refuse(learner, 0, 20_100);

    expect(learner.waitMs(20_120)).toBe(5_000);
  });

  test("after a grace period, in which all requests go on, during a measurement at more than 25 per second", () => {
    const [slow, fast] = [measuring(25), measuring(25.5)];
    for (const learner of [slow, fast]) refuse(learner, 0, 10_400);

    expect(slow.waitMs(10_420)).toBe(20);
    expect([fast.waitMs(10_420), fast.waitMs(10_479), fast.waitMs(10_480)]).toEqual([0, 0, 0]);
    const asking = fast.sent(10_480);
    expect(fast.waitMs(10_480)).toBe(75);
    fast.taken(asking, 10_500);
    expect(fast.isUsedUp).toBe(false);
  });

  test("without a grace period where the service says how long to wait, or the rate is known", () => {
    const told = measuring(100);
    refuse(told, 1, 10_400);
    const steady = known({ perSecond: 100, windowMs: 2_000 });
    refuse(steady, 0, 10_400);

    expect([told.waitMs(10_420), steady.waitMs(10_420)]).toEqual([10, 20]);
  });
});

describe("a quota that opens again", () => {
  /** Used up at about 10,000 and 12,000, with this many requests accepted meanwhile. */
  const between = (learner: RateLearner, count: number) => {
    refuse(learner, 0, 10_000);
    take(learner, 10_020);
    take(learner, ...evenly(10_100, count, 50));
  };

  test("opens halfway between the last refused request and the accepted one", () => {
    const learner = known();
    between(learner, 19);
    // From 10,010 to 12,010. The second opening is uncertain by 60 ms.
    refuse(learner, 0, 11_900, 11_980);
    take(learner, 12_040);

    // 20 requests from the first probe to the last one.
    expect(learner.learned).toEqual({ perSecond: (0.985 * 19.5) / 2, burst: 0, windowMs: 1_000 });
    expect(learner.minTimeMs).toBe(1_000 / ((0.985 * 19.5) / 2));
  });

  test("opens exactly when the service said", () => {
    const untold = known();
    between(untold, 19);
    refuse(untold, 0, 11_940);
    take(untold, 12_040);
    expect(untold.learned?.perSecond).toBe(20 * 0.985);

    const told = known();
    refuse(told, 1, 10_000);
    take(told, 10_020);
    take(told, ...evenly(10_100, 19, 50));
    refuse(told, 0, 11_950);
    take(told, 12_010);
    // From 10,020, not from 10,010, to 11,980: less than two windows.
    expect(told.learned?.perSecond).toBe(20);
  });

  /** A bracket begins at half of the corrected rate. A measurement does not reach that rate so soon. */
  const isBracket = (learner: RateLearner) => Math.abs(learner.minTimeMs - 2_000 / (0.985 * 20)) < 1e-9;

  test.each([
    { name: "that the service says how long to wait", told: [1], is: true },
    { name: "that it said so before it was asked again", told: [1, 0], is: true },
    { name: "that it said so when it was asked again", told: [0, 1], is: true },
    { name: "that it says nothing", told: [0, 0], is: false },
  ])("is searched in a bracket for the reason $name: $is", ({ told, is }) => {
    const learner = known();
    between(learner, 1);
    told.forEach((ms, i) => {
      refuse(learner, ms, 10_500 + 100 * i);
    });
    take(learner, 10_800);

    expect(isBracket(learner)).toBe(is);
  });

  test("is not searched in a bracket because of a wait at an earlier time", () => {
    const learner = known();
    refuse(learner, 1_000, 10_000);
    take(learner, 10_020);
    refuse(learner, 0, 10_500);
    take(learner, 10_800);

    expect(isBracket(learner)).toBe(false);
  });

  /** Milliseconds from an opening at `from` to the next probe, if enough requests are accepted. */
  const triedAfter = (learner: RateLearner, from: number) => {
    const pace = learner.minTimeMs;
    take(learner, ...evenly(from + 50, 300, 1));
    for (let ms = 1_000; ms < 100_000; ms += 1_000) {
      take(learner, from + ms);
      if (learner.minTimeMs < pace) return ms;
    }
    return undefined;
  };

  test.each([{ told: [1_000, 200] }, { told: [200, 1_000] }])(
    "is probed at the earliest after thirty times the longest of the announced waits $told ms",
    ({ told }) => {
      const learner = known();
      told.forEach((ms, i) => {
        refuse(learner, ms, 10_000 + 100 * i);
      });
      take(learner, 10_980);

      expect(triedAfter(learner, 10_980)).toBe(30_000);
    },
  );

  test("is probed after 4 s if no wait was announced this time, whatever was announced before", () => {
    const learner = known();
    refuse(learner, 1_000, 10_000);
    take(learner, 10_980);
    refuse(learner, 0, 20_000);
    take(learner, 20_980);

    expect(triedAfter(learner, 20_980)).toBe(4_000);
  });

  test("ignores earlier requests: those sent before it was known, or, in a measurement, before the accepted request", () => {
    const steady = known();
    const [before, after] = [steady.sent(10_059), steady.sent(10_060)];
    refuse(steady, 0, 10_000);
    take(steady, 10_040);
    steady.refused(before, 10_100, 0);
    expect(steady.isUsedUp).toBe(false);
    steady.refused(after, 10_100, 0);
    expect(steady.isUsedUp).toBe(true);

    const measured = measuring(20);
    const [early, late] = [measured.sent(10_299), measured.sent(10_300)];
    measured.refused(early, 10_400, 0);
    expect(measured.isUsedUp).toBe(false);
    measured.refused(late, 10_400, 0);
    expect(measured.isUsedUp).toBe(true);
  });

  test("is followed by a rest of 30 ms where the rate is known, and by none in a measurement", () => {
    const steady = known();
    refuse(steady, 0, 10_000);
    take(steady, 10_040);

    expect([steady.waitMs(10_060), steady.waitMs(10_089), steady.waitMs(10_090)]).toEqual([30, 1, 0]);
    expect(measuring(20).waitMs(10_320)).toBe(0);
  });
});

describe("a service that was down and answers again", () => {
  test("leaves the quota used up where the rate is known", () => {
    const learner = known();
    refuse(learner, 0, 10_000);
    learner.restart(40_000);

    expect(learner.isUsedUp).toBe(true);
  });

  test("opens the quota where the rate is searched", () => {
    const learner = new RateLearner(middle);
    refuse(learner, 0, 10_000);
    learner.restart(40_000);

    expect([learner.isUsedUp, learner.waitMs(40_000)]).toEqual([false, 0]);
  });
});
