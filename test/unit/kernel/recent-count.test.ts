import { expect, test } from "vitest";
import { RecentCount } from "../../../src/kernel/collections.ts";

test("counts what happened lately, to a tenth of that time", () => {
  const count = new RecentCount(1_000);
  for (const now of [5, 50, 250, 999]) count.add(now);

  expect([999, 1_000, 1_099, 1_200, 1_899, 1_900].map((now) => count.sum(now))).toEqual([4, 2, 2, 1, 1, 0]);
});

test("forgets everything over a longer time, and goes on", () => {
  const count = new RecentCount(1_000);
  count.add(100);
  count.add(50_000);

  expect([count.sum(50_000), count.sum(50_899), count.sum(51_000)]).toEqual([1, 1, 0]);
});

test("begins at any time", () => {
  const count = new RecentCount(1_000);
  count.add(1_767_225_600_000);

  expect(count.sum(1_767_225_600_900)).toBe(1);
});
