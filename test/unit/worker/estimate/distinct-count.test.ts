import { expect, test } from "vitest";
import { DistinctCount } from "../../../../src/worker/estimate/distinct-count.ts";

function countOf(max: number, texts: number): DistinctCount {
  const count = new DistinctCount(max);
  for (let i = 0; i < 2 * texts; i++) count.add(`text ${i % texts}`);
  return count;
}

test("each text counts once, exactly, up to the limit", () => {
  const count = countOf(1_000, 1_000);

  expect([count.size, count.isExact]).toEqual([1_000, true]);
  expect(new DistinctCount(1).size).toBe(0);
});

test("beyond the limit the count is an estimate, is marked so, and keeps no more hashes than the limit", () => {
  const count = countOf(1_000, 100_000);

  expect(count.isExact).toBe(false);
  // 1.2 / sqrt(1000) is 4 %.
  expect(Math.abs(count.size / 100_000 - 1)).toBeLessThan(0.12);
});
