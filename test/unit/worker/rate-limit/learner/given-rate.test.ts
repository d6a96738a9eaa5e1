import { describe, expect, test } from "vitest";
import { GivenRate } from "../../../../../src/worker/rate-limit/learner/given-rate.ts";

/** 50 a second in windows of a second. */
function setup() {
  const parts: number[] = [];
  const onPart = (part: number) => parts.push(part);
  const given = new GivenRate({ windowMs: 1_000, minTimeMs: 20, random: () => 0.5, onPart });
  let now = 0;
  /** Sends as soon as it may, and is answered 30 ms later. */
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

test("what was given is sent, and nothing is concluded from what is taken", () => {
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

test("a 429 that may be chance costs three slots", () => {
  const { given, parts, end, at } = setup();
  end(false);
  expect([given.minTimeMs, given.waitMs(at()), given.isUsedUp, given.part]).toEqual([20, 60, false, 1]);
  expect(parts).toEqual([]);
});

test("a pause for it is no longer than a window, however slow a share is", () => {
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

  test("one request after the other asks whether the key takes any", () => {
    const { given, at } = cut();
    expect([given.isUsedUp, given.waitMs(at())]).toEqual([true, 20]);
    const asking = given.sent(at() + 20);
    // The next one asks meanwhile where an answer takes longer than 75 ms.
    expect(given.waitMs(at() + 30)).toBe(65);
    given.undecided(asking);
    expect(given.waitMs(at() + 30)).toBe(0);
  });

  test("one that fails does not open it, and lets the next one ask", () => {
    const { given, at } = cut();
    given.failed(given.sent(at() + 20), at() + 50);
    expect([given.isUsedUp, given.waitMs(at() + 50)]).toEqual([true, 0]);
  });

  test("the pace is a little less, and after two windows without another what was given", () => {
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

  test("a key that takes nothing for 5 s is told of once, and again when it does", () => {
    const { given, parts, end, at } = cut();
    while (at() < 4_900) end(false);
    expect(parts).toEqual([]);
    while (at() < 20_000) end(false);
    expect([parts, given.part]).toEqual([[0], 1]);
    end(true);
    expect(parts).toEqual([0, 1]);
  });

  test("what is sent while the cut is measured is the part that is shown, and an operator is told of what was measured", () => {
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

  test("a share that is another one has the same part of it borne", () => {
    const { given, end } = cut();
    end(true);
    given.give(80);
    expect(given.minTimeMs).toBeCloseTo(80 / 0.985, 9);
    given.give(20);
    expect(given.minTimeMs).toBeCloseTo(20 / 0.985, 9);
  });

  test("a share that is a little smaller is the most that is sent", () => {
    const { given, end } = cut();
    end(true);
    given.give(22);
    expect([given.minTimeMs, given.part]).toEqual([22, 1]);
    given.give(20);
    expect(given.minTimeMs).toBeCloseTo(20 / 0.985, 9);
  });
});
