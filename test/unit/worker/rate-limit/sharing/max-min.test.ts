import { expect, test } from "vitest";
import { maxMinShares } from "../../../../../src/worker/rate-limit/sharing/max-min.ts";

const all = Number.POSITIVE_INFINITY;
const shares = (total: number, ...wanted: readonly (readonly [demand: number, weight: number])[]) =>
  maxMinShares(
    wanted.map(([demand, weight]) => ({ demand, weight })),
    total,
  );

test("those who want all have equal shares", () => expect(shares(12, [all, 1], [all, 1], [all, 1])).toEqual([4, 4, 4]));
test("what one does not want the others have", () => expect(shares(12, [all, 1], [2, 1], [all, 1])).toEqual([5, 2, 5]));
test("and what they do not want, in turn", () => expect(shares(12, [all, 1], [2, 1], [4, 1])).toEqual([6, 2, 4]));
test("shares go by weight", () => expect(shares(12, [all, 3], [all, 1])).toEqual([9, 3]));
test("nobody has more than it wants", () => expect(shares(12, [1, 3], [2, 1])).toEqual([1, 2]));
test("one who wants nothing has nothing", () => expect(shares(12, [0, 3], [all, 1])).toEqual([0, 12]));
test("nobody has anything of nothing", () => expect(shares(0, [all, 1], [5, 1])).toEqual([0, 0]));
test("nobody shares nothing", () => expect(shares(5)).toEqual([]));
