import { expect, test } from "vitest";
import { Bracket } from "../../../../../../src/worker/rate-limit/learner/search/bracket.ts";

test("a bracket tries the middle, then a fifth of the rest, and ends when the rest is small", () => {
  const bracket = new Bracket(10, 40, 1_000);
  expect(bracket.rate).toBe(20);
  expect(bracket.opened()).toBeUndefined();
  expect(bracket.rate).toBeCloseTo(14.142, 3);
  expect(bracket.passed()).toBeUndefined();
  // 14.14 to 20 is still wide; 14.14 to 16.82 is not.
  expect(bracket.rate).toBeCloseTo(16.818, 3);
  expect(bracket.opened()).toBeUndefined();
  expect(bracket.rate).toBeCloseTo(14.142 * (16.818 / 14.142) ** 0.2, 3);
  expect(bracket.passed()).toBeUndefined();
  expect(bracket.rate).toBeCloseTo(14.641 * (16.818 / 14.641) ** 0.2, 2);
  expect(bracket.opened()).toBeCloseTo(0.985 * 14.641, 2);
});

test("a bracket finds the rate that passed at once when no rate lies between", () => {
  const bracket = new Bracket(12, 10, 1_000);
  expect(bracket.rate).toBe(10);
  expect(bracket.opened()).toBe(9.85);
});

test("a bracket knows whether any rate failed, since its initial bounds are guesses", () => {
  const bracket = new Bracket(10, 10.5, 1_000);
  bracket.passed();
  expect(bracket.hasFailed).toBe(false);
  bracket.opened();
  expect(bracket.hasFailed).toBe(true);
});

test("a restart changes nothing, since a closed quota says nothing about a rate", () => {
  const bracket = new Bracket(10, 40, 1_000);
  bracket.restart();
  expect(bracket.rate).toBe(20);
});

test.each([
  [200, 1_000],
  [30_000, 60_000],
])("with a window of %i ms a step takes %i ms and 20 requests", (windowMs, stepMs) => {
  const { stepMs: found, stepRequests } = new Bracket(10, 40, windowMs);
  expect([found, stepRequests]).toEqual([stepMs, 20]);
});
