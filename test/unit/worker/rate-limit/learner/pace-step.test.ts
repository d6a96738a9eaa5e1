import { expect, test } from "vitest";
import { PaceStep } from "../../../../../src/worker/rate-limit/learner/pace-step.ts";

const least = { stepMs: 500, stepRequests: 3 };

/** A step that began at 1,000 with the first of this many requests. */
function begun(count: number): PaceStep {
  const step = new PaceStep();
  for (let i = 0; i < count; i++) step.sent(1_000 + i);
  return step;
}

test("a step is over once it was long enough and had enough requests", () => {
  expect([begun(3).isOver(1_499, least), begun(2).isOver(1_500, least), begun(3).isOver(1_500, least)]).toEqual([
    false,
    false,
    true,
  ]);
});

test("a step without requests is never over", () => {
  expect(new PaceStep().isOver(1e9, { stepMs: 0, stepRequests: 0 })).toBe(false);
});

test("the next step starts with no requests", () => {
  const step = begun(10);
  step.begin(2_000);
  step.sent(2_100);
  step.sent(2_200);

  expect([step.isOver(3_000, least), step.wasUsed(3_000, 2), step.wasUsed(3_000, 3)]).toEqual([false, true, false]);
});

test("a step was used if 0.7 of its permits were used, and without a pace it always was", () => {
  // Ten per second.
  expect([begun(7).wasUsed(2_000, 10), begun(6).wasUsed(2_000, 10), begun(7).wasUsed(2_001, 10)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(begun(1).wasUsed(1e9, Number.POSITIVE_INFINITY)).toBe(true);
});
