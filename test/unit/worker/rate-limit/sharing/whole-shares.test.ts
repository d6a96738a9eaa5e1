import fc from "fast-check";
import { expect, test } from "vitest";
import { maxMinShares } from "../../../../../src/worker/rate-limit/sharing/max-min.ts";
import { wholeShares } from "../../../../../src/worker/rate-limit/sharing/whole-shares.ts";

const all = Number.POSITIVE_INFINITY;
const equal = (...demands: readonly number[]) => demands.map((demand) => ({ demand, weight: 1 }));

test.each([
  { demands: equal(all), total: 10, turn: 7, shares: [10] },
  { demands: equal(all, all), total: 10, turn: 0, shares: [5, 5] },
  { demands: equal(all, all, all, all), total: 10, turn: 0, shares: [3, 3, 2, 2] },
  { demands: equal(all, all, all, all), total: 10, turn: 1, shares: [2, 2, 3, 3] },
  { demands: equal(all, all, all, all), total: 11, turn: 1, shares: [3, 3, 2, 3] },
  { demands: equal(all, 0, 0, 0), total: 10, turn: 0, shares: [7, 1, 1, 1] },
  { demands: equal(all, 2.1, all, 0), total: 10, turn: 1, shares: [3, 3, 3, 1] },
  { demands: equal(2, 2), total: 3, turn: 1, shares: [1, 2] },
  { demands: equal(2, 2, 3), total: 10, turn: 0, shares: [2, 2, 3] },
  {
    demands: [
      { demand: all, weight: 1 },
      { demand: all, weight: 3 },
    ],
    total: 10,
    turn: 0,
    shares: [3, 7],
  },
])("$demands of $total in turn $turn are $shares", ({ demands, total, turn, shares }) => {
  expect(wholeShares(demands, total, turn)).toEqual(shares);
});

const demand = fc.oneof(fc.constant(all), fc.constant(0), fc.double({ min: 0, max: 500, noNaN: true }));
const shared = fc.record({
  demands: fc.array(fc.record({ demand, weight: fc.constantFrom(0.01, 0.3, 1, 3, 1_000) }), { minLength: 1 }),
  spare: fc.nat(1_000),
  turn: fc.nat(),
});

test("shares are whole, none is 0 or above its demand, and all that is wanted is shared", () => {
  fc.assert(
    fc.property(shared, ({ demands, spare, turn }) => {
      const total = demands.length + spare;
      const shares = wholeShares(demands, total, turn);

      const wanted = demands.map((each) => Math.max(1, Math.ceil(each.demand)));
      shares.forEach((share, i) => {
        expect(Number.isInteger(share) && share >= 1 && share <= (wanted[i] ?? 0)).toBe(true);
      });
      const sum = (each: readonly number[]) => each.reduce((a, b) => a + b, 0);
      expect(sum(shares)).toBe(Math.min(total, sum(wanted)));
    }),
  );
});

test("demands of equal weight are within one of their fair shares, and equal over all turns", () => {
  fc.assert(
    fc.property(fc.array(demand, { minLength: 1, maxLength: 12 }), fc.nat(300), (demands, spare) => {
      const total = demands.length + spare;
      const wanted = equal(...demands.map((each) => Math.max(1, Math.ceil(each))));
      const fair = maxMinShares(wanted, total);
      const turns = Array.from({ length: 11 }, (_, turn) => wholeShares(equal(...demands), total, turn));

      for (const shares of turns)
        shares.forEach((share, i) => {
          expect(Math.abs(share - (fair[i] ?? 0))).toBeLessThan(1 + 1e-9);
        });
      const greedy = demands.flatMap((each, i) => (each === all ? [i] : []));
      const sums = greedy.map((i) => turns.reduce((sum, shares) => sum + (shares[i] ?? 0), 0));
      for (const own of sums) expect(Math.abs(own - (sums[0] ?? 0))).toBeLessThanOrEqual(1);
    }),
  );
});
