import { expect, test } from "vitest";
import { RetryBudget } from "../../../../../src/worker/rate-limit/breaker/retry-budget.ts";

/** How many retries of this kind the budget still covers. */
function retriesLeft(budget: RetryBudget, kind: "failure" | "timeout"): number {
  let retries = 0;
  while (budget.spend(kind)) retries++;
  return retries;
}

test.each([
  ["failure", 100],
  ["timeout", 50],
] as const)("a full budget covers this many retries after a %s: %i", (kind, retries) => {
  expect(retriesLeft(new RetryBudget(), kind)).toBe(retries);
});

test("a budget that does not cover a timeout may cover a failure, and a refused retry costs nothing", () => {
  const budget = new RetryBudget();
  for (let i = 0; i < 99; i++) budget.spend("failure");

  expect([budget.spend("timeout"), budget.spend("timeout"), budget.spend("failure"), budget.spend("failure")]).toEqual([
    false,
    false,
    true,
    false,
  ]);
});

test("an answer brings back one token, and five tokens pay for a retry", () => {
  const budget = new RetryBudget();
  retriesLeft(budget, "failure");

  for (let i = 0; i < 4; i++) budget.answered();
  expect(budget.spend("failure")).toBe(false);
  budget.answered();

  expect(retriesLeft(budget, "failure")).toBe(1);
});

test("answers do not fill the budget beyond its capacity", () => {
  const budget = new RetryBudget();

  for (let i = 0; i < 10_000; i++) budget.answered();

  expect(retriesLeft(budget, "failure")).toBe(100);
});
