import { expect, test } from "vitest";
import { Refusals } from "../../../../src/worker/pace/refusals.ts";

test("what is refused three times, while others are answered in between, is refused for itself", () => {
  const refusals = new Refusals();

  expect([5, 6, 9].map((answers) => refusals.add({ answers }))).toEqual([false, false, true]);
});

test("what is refused as everything is, is refused for the key", () => {
  const refusals = new Refusals();

  expect([0, 0, 0, 0, 0].map((answers) => refusals.add({ answers }))).toEqual([false, false, false, false, false]);
  expect([4, 4, 4, 4].map((answers) => refusals.add({ answers }))).toEqual([false, false, false, false]);
});
