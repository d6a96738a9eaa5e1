import { describe, expect, test } from "vitest";
import { GivenRate } from "../../../../../src/worker/rate-limit/learner/given-rate.ts";

/** 50 per second in windows of a second. */
function setup() {
  const parts: number[] = [];
  const onPart = (part: number) => parts.push(part);
  const given = new GivenRate({ windowMs: 1_000, minTimeMs: 20, random: () => 0.5, onPart });
  let now = 0;
  /** Sends each request as soon as possible. Its answer comes 30 ms later. */
  const end = (isTaken: boolean, toldMs = 0) => {
    now += given.waitMs(now);
    const flight = given.sent(now);
    now += Math.max(30, given.minTimeMs);
    if (isTaken) given.taken(flight, now);
    else given.refused(flight, now, toldMs);
  };
  const many = (isTaken: boolean, count: number) => {
    for (let i = 0; i < count; i++) end(isTaken);
  };
  return { given, parts, end, many, at: () => now };
}

test("the configured quota is sent, and accepted requests change nothing", () => {
  const { given, parts, many, at } = setup();
  many(true, 1_000);
  expect([given.minTimeMs, given.waitMs(at()), given.isUsedUp, given.part, given.learned]).toEqual([
    20,
    0,
    false,
    1,
    undefined,
  ]);
  expect(parts).toEqual([]);
});

test("a 429 that may be random costs three gaps", () => {
  const { given, parts, end, at } = setup();
  end(false);
  expect([given.minTimeMs, given.waitMs(at()), given.isUsedUp, given.part]).toEqual([20, 60, false, 1]);
  expect(parts).toEqual([]);
});

test("the rest after a random 429 is no longer than a window, however slow the share", () => {
  const { given, end, at } = setup();
  given.give(2 ** 30);
  end(false);
  expect(given.waitMs(at())).toBe(1_000);
});

describe("after four 429s in a row", () => {
  const cut = () => {
    const world = setup();
    world.many(false, 4);
    return world;
  };

  test("one request after another probes whether the key accepts any", () => {
    const { given, at } = cut();
    expect([given.isUsedUp, given.waitMs(at())]).toEqual([true, 20]);
    const asking = given.sent(at() + 20);
    // The next probe does not wait for an answer that takes longer than 75 ms.
    expect(given.waitMs(at() + 30)).toBe(65);
    given.undecided(asking);
    expect(given.waitMs(at() + 30)).toBe(0);
  });

  test("a failed probe does not open the quota, and lets the next one be sent", () => {
    const { given, at } = cut();
    given.failed(given.sent(at() + 20), at() + 50);
    expect([given.isUsedUp, given.waitMs(at() + 50)]).toEqual([true, 0]);
  });

  test("the pace is slightly slower, and is the configured one after two windows without a 429", () => {
    const { given, parts, end } = cut();
    end(true);
    expect(given.isUsedUp).toBe(false);
    expect(given.minTimeMs).toBeCloseTo(20 / 0.985, 9);
    expect(given.part).toBeCloseTo(0.985, 9);
    for (let i = 0; i < 60; i++) end(true);
    expect(given.minTimeMs).toBeGreaterThan(20);
    for (let i = 0; i < 10; i++) end(true);
    expect([given.minTimeMs, given.part, parts]).toEqual([20, 1, []]);
  });

  test("a key that accepts nothing for 5 s is reported once, and again when it accepts requests", () => {
    const { given, parts, end, at } = cut();
    while (at() < 4_900) end(false);
    expect(parts).toEqual([]);
    while (at() < 20_000) end(false);
    expect([parts, given.part]).toEqual([[0], 1]);
    end(true);
    expect(parts).toEqual([0, 1]);
  });

  test("`part` is the share that is sent during a measurement, and the callback reports only the measured share", () => {
    const { given, parts, end } = cut();
    for (let i = 0; i < 8; i++) {
      end(true);
      end(false);
    }
    end(true);
    expect(given.part).toBeLessThan(0.7);
    expect(given.part).toBeCloseTo(20 / given.minTimeMs, 9);
    expect(parts).toEqual([]);
  });

  test("the key accepts the same part of a different share", () => {
    const { given, end } = cut();
    end(true);
    given.give(80);
    expect(given.minTimeMs).toBeCloseTo(80 / 0.985, 9);
    given.give(20);
    expect(given.minTimeMs).toBeCloseTo(20 / 0.985, 9);
  });

  test("a slightly smaller share is the most that is sent", () => {
    const { given, end } = cut();
    end(true);
    given.give(22);
    expect([given.minTimeMs, given.part]).toEqual([22, 1]);
    given.give(20);
    expect(given.minTimeMs).toBeCloseTo(20 / 0.985, 9);
  });
});
