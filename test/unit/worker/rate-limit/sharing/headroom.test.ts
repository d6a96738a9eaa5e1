import { describe, expect, test } from "vitest";
import { Headroom } from "../../../../../src/worker/rate-limit/sharing/headroom.ts";

function setup() {
  const told: number[] = [];
  const headroom = new Headroom((alone) => told.push(alone));
  /** @returns the number of requests after which the highest level was tried; undefined: it was not tried. */
  const take = (count: number) => {
    for (let i = 1; i <= count; i++) {
      headroom.taken();
      if (headroom.alone === 2) return i;
    }
    return undefined;
  };
  return { headroom, told, take };
}

test("a single process begins at the rate of every window, and tries more after two thousand requests without a 429", () => {
  const { headroom, told, take } = setup();

  expect([take(1_999), headroom.alone, told]).toEqual([undefined, 1, []]);
  expect([take(1), headroom.alone, told]).toEqual([1, 2, [2]]);
});

test("an earlier 429 leads back to the safe level, until as many requests had none", () => {
  const { headroom, told, take } = setup();
  take(1_999);
  headroom.refused();
  expect([headroom.alone, take(1_999), told]).toEqual([0, undefined, [0]]);
  headroom.refused();
  expect([take(1_999), headroom.alone]).toEqual([undefined, 0]);
  expect([take(1), headroom.alone]).toEqual([undefined, 1]);

  expect(take(2_000)).toBe(2_000);
});

test("after a second failure the next try takes four times as many requests", () => {
  const { headroom, take } = setup();
  headroom.refused();
  take(2_100);
  headroom.refused();
  expect([take(7_999), headroom.alone]).toEqual([undefined, 0]);
  take(1);

  expect(headroom.alone).toBe(1);
});

test("a 429 ends a try, and the next one comes after four times as many requests, up to a limit", () => {
  const { headroom, told, take } = setup();
  const needed = Array.from({ length: 6 }, () => {
    const opened = take(1_000_000);
    // 429s of the requests in flight count as one with the first.
    for (let i = 0; i < 3; i++) headroom.refused();
    return opened;
  });

  expect(needed).toEqual([2_000, 8_000, 32_000, 128_000, 128_000, 128_000]);
  expect(told).toEqual(Array.from({ length: 6 }, () => [2, 1]).flat());
});

test("a level that held for two thousand requests is tried again as soon as the first time", () => {
  const { headroom, take } = setup();
  take(2_000);
  headroom.refused();
  take(8_000);
  for (let i = 0; i < 1_999; i++) headroom.taken();
  headroom.refused();
  expect(take(1_000_000)).toBe(32_000);
  for (let i = 0; i < 2_000; i++) headroom.taken();
  headroom.refused();

  expect(take(1_000_000)).toBe(2_000);
});

describe("several processes that share", () => {
  const together = () => {
    const { headroom, told } = setup();
    const take = (count: number) => {
      for (let i = 0; i < count; i++) headroom.taken();
      return headroom.closeness;
    };
    return { headroom, told, take };
  };

  test("begin at the closest level, and go back to the safe one with a 429", () => {
    const { headroom, told, take } = together();
    expect([headroom.closeness, headroom.alone, take(399)]).toEqual([2, 1, 2]);
    headroom.refused();

    expect(headroom.closeness).toBe(0);
    // Changes of the shared level are not reported, because shares are checked in any case.
    expect(told).toEqual([0]);
  });

  test("go on by steps after 400 requests without a 429, go back by the last step, and wait longer then", () => {
    const { headroom, take } = together();
    headroom.refused();
    expect([take(399), take(1), take(399), take(1)]).toEqual([0, 1, 1, 2]);
    take(399);
    headroom.refused();

    expect([headroom.closeness, take(1_599), take(1)]).toEqual([1, 1, 2]);
  });

  test("wait no longer where a step held for 400 requests", () => {
    const { headroom, take } = together();
    headroom.refused();
    take(800);
    take(400);
    headroom.refused();

    expect([headroom.closeness, take(399), take(1)]).toEqual([1, 1, 2]);
  });

  test("go back another step with another 429", () => {
    const { headroom, take } = together();
    headroom.refused();
    take(800);
    headroom.refused();
    expect(take(10)).toBe(1);
    headroom.refused();

    expect([headroom.closeness, take(6_399), take(1)]).toEqual([0, 0, 1]);
  });

  test("count 429s soon after a step back as its echo, which restarts the count", () => {
    const { headroom, take } = together();
    headroom.refused();
    take(800);
    headroom.refused();
    headroom.refused();
    expect(take(9)).toBe(1);
    headroom.refused();

    expect([headroom.closeness, take(1_599), take(1)]).toEqual([1, 1, 2]);
  });

  test("go back with the 429s of the others, while the level of a single process does not", () => {
    const { headroom, take } = together();
    take(1_999);
    headroom.refusedElsewhere();
    expect([headroom.closeness, headroom.refusals]).toEqual([0, 0]);
    expect([take(1), headroom.alone]).toEqual([0, 2]);
    headroom.refused();

    expect(headroom.refusals).toBe(1);
  });
});
