import { expect, test } from "vitest";
import { failuresLaterMs, maxDelayMs, tierOf } from "../../../../src/worker/consumer/tiers.ts";

test.each([
  [-5, "10s"],
  [0, "10s"],
  [10_000, "10s"],
  [10_001, "1m"],
  [60_000, "1m"],
  [60_001, "10m"],
  [600_000, "10m"],
  [700_000, "10m"],
])("a delay of %i ms belongs to the tier %s", (delay, tier) => expect(tierOf(delay)).toBe(tier));

test.each([
  ["10s", 10_000],
  ["1m", 60_000],
  ["10m", 600_000],
] as const)("the tier %s takes delays up to %i ms", (tier, ms) => expect(maxDelayMs(tier)).toBe(ms));

test.each([
  [0, 10_000],
  [1, 60_000],
  [2, 600_000],
  [3, 600_000],
  [9, 600_000],
])("after %i postponements, a failed question is asked again after %i ms", (attempt, ms) =>
  expect(failuresLaterMs(attempt)).toBe(ms),
);
