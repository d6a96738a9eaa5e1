import { expect, test } from "vitest";
import { Headroom } from "../../../../src/worker/pace/headroom.ts";

function setup() {
  const told: boolean[] = [];
  const headroom = new Headroom((isOpen) => told.push(isOpen));
  /** @returns after how many it opened; undefined: it did not. */
  const take = (count: number) => {
    for (let i = 1; i <= count; i++) {
      headroom.taken();
      if (headroom.isOpen) return i;
    }
    return undefined;
  };
  return { headroom, told, take };
}

test("more is tried after two thousand requests without a 429", () => {
  const { headroom, told, take } = setup();

  expect([take(1_999), headroom.isOpen, told]).toEqual([undefined, false, []]);
  expect([take(1), headroom.isOpen, told]).toEqual([1, true, [true]]);
});

test("a 429 before that begins the count anew, and changes nothing else", () => {
  const { headroom, told, take } = setup();
  take(1_999);
  headroom.refused();

  expect([take(1_999), told]).toEqual([undefined, []]);
  expect(take(1)).toBe(1);
});

test("a 429 ends a try, and the next one comes after four times as many requests, up to a bound", () => {
  const { headroom, told, take } = setup();
  const needed = Array.from({ length: 6 }, () => {
    const opened = take(1_000_000);
    // Those that were on their way are one 429 with the first.
    for (let i = 0; i < 3; i++) headroom.refused();
    return opened;
  });

  expect(needed).toEqual([2_000, 8_000, 32_000, 128_000, 128_000, 128_000]);
  expect(told).toEqual(Array.from({ length: 6 }, () => [true, false]).flat());
});

test("what held for two thousand requests is tried again as soon as the first time", () => {
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
