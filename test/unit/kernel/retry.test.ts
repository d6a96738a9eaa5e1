import { expect, test } from "vitest";
import { backoffMs } from "../../../src/kernel/retry.ts";

const policy = { attempts: 4, baseMs: 100, maxMs: 250 };

test.each([
  [1, 0.5, 50],
  [2, 0.5, 100],
  [3, 0.5, 125],
  [40, 0.5, 125],
  [1, 0, 0],
  [1, 0.999, 99.9],
])("after attempt %i with random value %f the wait is %f ms", (attempt, chance, ms) => {
  expect(backoffMs(policy, attempt, () => chance)).toBeCloseTo(ms, 9);
});
