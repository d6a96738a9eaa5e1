import { expect, test } from "vitest";
import { correction } from "../../../../../src/worker/rate-limit/learner/correction.ts";

test("a 429 without a pause reduces the rate by 1.5 %, whenever it comes", () => {
  expect([correction(1_000, 1_000, false), correction(1_000_000, 10, false)]).toEqual([0.985, 0.985]);
});

test("a pause reduces the rate by about a quarter of its share of the time, and by a tenth at most", () => {
  expect(correction(99_000, 1_000, true)).toBeCloseTo(0.99 ** 0.25, 12);
  expect(correction(3_000, 1_000, true)).toBeCloseTo(0.75 ** 0.25, 12);
  expect(correction(1_000, 1_000, true)).toBe(0.9);
});

test("the first 429 of a quota that is known from an earlier run changes nothing", () => {
  expect(correction(Number.POSITIVE_INFINITY, 1_000, true)).toBe(1);
});
