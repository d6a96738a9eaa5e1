import { describe, expect, test } from "vitest";
import { RateLearner } from "../../../../../src/worker/rate-limit/learner/rate-learner.ts";

const middle = () => 0.5;
const learned = { perSecond: 20, burst: 0, windowMs: 1_000 };

/**
 * Sends `count` requests at the learner's pace from `now` on. Each is accepted 20 ms later. @returns the time at the
 * end.
 */
function take(learner: RateLearner, now: number, count: number): number {
  let at = now;
  for (let i = 0; i < count; i++) {
    const flight = learner.sent(at);
    learner.taken(flight, at + 20);
    at += Math.max(1, learner.minTimeMs);
  }
  return at;
}

/** Sends one request that gets a 429 after 20 ms. @returns the time of the 429. */
function refuse(learner: RateLearner, now: number, toldMs = 0): number {
  learner.refused(learner.sent(now), now + 20, toldMs);
  return now + 20;
}

describe("without a learned quota", () => {
  test("the learner begins with ten per second, and has learned nothing", () => {
    const learner = new RateLearner(middle);
    expect([learner.minTimeMs, learner.waitMs(0), learner.isUsedUp, learner.learned]).toEqual([
      100,
      0,
      false,
      undefined,
    ]);
  });

  test("the rate doubles while no request is refused, and there is no pace in the end", () => {
    const learner = new RateLearner(middle);
    const paces = new Set<number>();
    let at = 0;
    while (learner.minTimeMs > 0) {
      paces.add(1_000 / learner.minTimeMs);
      at = take(learner, at, 1);
    }
    expect([...paces]).toEqual([10, 20, 40, 80, 160, 320]);
    expect(at).toBeLessThan(2_500);
  });

  test("the rate does not rise from rare requests", () => {
    const learner = new RateLearner(middle);
    for (let second = 0; second < 100; second++) learner.taken(learner.sent(1_000 * second), 1_000 * second + 20);
    expect(learner.minTimeMs).toBe(100);
  });

  test("the first 429 stops all requests but one probe, until its answer is slow", () => {
    const learner = new RateLearner(middle);
    const at = refuse(learner, take(learner, 0, 5));
    expect(learner.isUsedUp).toBe(true);
    expect(learner.waitMs(at)).toBeGreaterThan(0);
    learner.sent(at + 1_000);
    expect(learner.waitMs(at + 1_000)).toBe(75);
  });
});

describe("with a learned quota", () => {
  test("the learner begins with the learned quota", () => {
    const learner = new RateLearner(middle, learned);
    expect([learner.minTimeMs, learner.learned]).toEqual([50, learned]);
  });

  test("one unexpected 429 costs little, and a short rest follows", () => {
    const learner = new RateLearner(middle, learned);
    const at = refuse(learner, take(learner, 0, 100));
    const asking = learner.sent(at + 200);
    learner.taken(asking, at + 220);
    expect(learner.learned?.perSecond).toBe(20 * 0.985);
    expect(learner.minTimeMs).toBe(1_000 / (20 * 0.985));
    expect([learner.isUsedUp, learner.waitMs(at + 220), learner.waitMs(at + 240)]).toEqual([false, 30, 10]);
  });

  test("a 429 of a request that was sent before the quota opened again says nothing", () => {
    const learner = new RateLearner(middle, learned);
    const slow = learner.sent(100);
    const at = refuse(learner, 110);
    learner.taken(learner.sent(at + 200), at + 220);
    learner.refused(slow, at + 300, 0);
    expect(learner.isUsedUp).toBe(false);
  });

  test("a quota that was closed for a minute is as large as before", () => {
    const learner = new RateLearner(middle, learned);
    const at = refuse(learner, take(learner, 0, 100));
    learner.taken(learner.sent(at + 60_000), at + 60_020);
    expect(learner.learned?.perSecond).toBe(20);
    expect(learner.minTimeMs).toBe(50);
  });

  test("a lost probe is followed by another one", () => {
    const learner = new RateLearner(middle, learned);
    const at = refuse(learner, take(learner, 0, 10));
    learner.undecided(learner.sent(at + 1_000));
    expect([learner.isUsedUp, learner.waitMs(at + 1_010)]).toEqual([true, 0]);
  });

  test("a service failure does not open a used-up quota, and another probe follows", () => {
    const learner = new RateLearner(middle, learned);
    const at = refuse(learner, take(learner, 0, 10));
    learner.failed(learner.sent(at + 1_000), at + 1_020);
    expect([learner.isUsedUp, learner.waitMs(at + 1_020)]).toEqual([true, 0]);
  });

  test("a service failure counts for the pace like an accepted request", () => {
    const learner = new RateLearner(middle, learned);
    for (let i = 0, at = 0; i < 237; i++, at += 50) learner.failed(learner.sent(at), at + 20);
    expect(learner.minTimeMs).toBe(1_000 / 21);
  });

  test("after a while the learner tries a slightly faster rate, and gives it up when it is not used", () => {
    const learner = new RateLearner(middle, learned);
    let at = take(learner, 0, 237);
    expect(learner.minTimeMs).toBe(1_000 / 21);
    // Ten per second are less than half of the tried rate.
    for (let i = 0; i < 10; i++, at += 100) learner.taken(learner.sent(at), at + 20);
    expect([learner.minTimeMs, learner.learned?.perSecond]).toEqual([50, 20]);
  });

  test("a probe that ends in a 429 changes nothing", () => {
    const learner = new RateLearner(middle, learned);
    const at = refuse(learner, take(learner, 0, 240));
    learner.taken(learner.sent(at + 500), at + 520);
    expect(learner.learned?.perSecond).toBe(20);
  });
});

describe("a service that was down", () => {
  /** Some requests, half a minute without an answer, 429s for four seconds, and the first accepted request. */
  function afterAnOutage(learner: RateLearner): number {
    take(learner, 0, 5);
    const flight = learner.sent(10_000);
    learner.undecided(flight);
    refuse(learner, 27_000);
    return 31_000;
  }

  test("is searched from the beginning when it answers again, because the few accepted requests are no measure", () => {
    const [told, untold] = [new RateLearner(middle), new RateLearner(middle)];
    for (const learner of [told, untold]) {
      const at = afterAnOutage(learner);
      const flight = learner.sent(at);
      if (learner === told) learner.restart(at + 20);
      learner.taken(flight, at + 20);
    }

    expect([told.minTimeMs, told.isUsedUp, told.waitMs(31_020)]).toEqual([100, false, 0]);
    expect(untold.minTimeMs).toBeGreaterThan(1_000);
  });

  test("continues at the known rate", () => {
    const learner = new RateLearner(middle, learned);
    const flight = learner.sent(0);
    learner.restart(20);
    learner.taken(flight, 20);

    expect(learner.minTimeMs).toBe(50);
  });
});
