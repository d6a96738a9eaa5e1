import { expect, test } from "vitest";
import { timerIntervals } from "../../../src/kernel/async.ts";

test.each([
  ["nothing", 0, [0]],
  ["what a timer holds", 2_147_483_647, [2_147_483_647]],
  ["a millisecond more", 2_147_483_648, [2_147_483_647, 1]],
  ["a fraction more", 2_147_483_647.5, [2_147_483_647, 0.5]],
  ["sixty days", 5_184_000_000, [2_147_483_647, 2_147_483_647, 889_032_706]],
])("%s is split into delays that a timer supports", (_name, ms, pieces) => {
  expect([...timerIntervals(ms)]).toEqual(pieces);
});

test("an infinite wait has no last delay", () => {
  expect(timerIntervals(Number.POSITIVE_INFINITY).take(3).toArray()).toEqual(Array(3).fill(2_147_483_647));
});
