import { expect, test } from "vitest";
import { fairWeights } from "../../../../../src/worker/rate-limit/sharing/fair-weights.ts";

test("weights within the limits count unchanged", () => expect(fairWeights([1, 3, 0.5])).toEqual([1, 3, 0.5]));
test("no weight counts for more than a hundred, or for less than a tenth of the average", () => {
  expect(fairWeights([1_000, 1, 1, 2])).toEqual([100, 2.6, 2.6, 2.6]);
  expect(fairWeights([0.01, 1])).toEqual([0.0505, 1]);
});
test("without processes there are no weights", () => expect(fairWeights([])).toEqual([]));
