import { expect, test } from "vitest";
import { maxMinShares } from "../../../../../src/worker/rate-limit/sharing/max-min.ts";

const all = Number.POSITIVE_INFINITY;
const shares = (total: number, ...wanted: readonly (readonly [demand: number, weight: number])[]) =>
  maxMinShares(
    wanted.map(([demand, weight]) => ({ demand, weight })),
    total,
  );

test("unlimited demands get equal shares", () => expect(shares(12, [all, 1], [all, 1], [all, 1])).toEqual([4, 4, 4]));
test("an unwanted part goes to the others", () => expect(shares(12, [all, 1], [2, 1], [all, 1])).toEqual([5, 2, 5]));
test("an unwanted part is passed on repeatedly", () => expect(shares(12, [all, 1], [2, 1], [4, 1])).toEqual([6, 2, 4]));
test("shares are proportional to weights", () => expect(shares(12, [all, 3], [all, 1])).toEqual([9, 3]));
test("no demand gets more than it wants", () => expect(shares(12, [1, 3], [2, 1])).toEqual([1, 2]));
test("a demand of 0 gets nothing", () => expect(shares(12, [0, 3], [all, 1])).toEqual([0, 12]));
test("a total of 0 gives every demand nothing", () => expect(shares(0, [all, 1], [5, 1])).toEqual([0, 0]));
test("without demands there are no shares", () => expect(shares(5)).toEqual([]));
