import fc from "fast-check";
import { expect, test } from "vitest";
import { type Demand, maxMinShares } from "../../../../../src/worker/rate-limit/sharing/max-min.ts";

const demand = fc.record({
  demand: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constant(Number.POSITIVE_INFINITY)),
  weight: fc.integer({ min: 1, max: 4 }),
});
const demands = fc.array(demand, { minLength: 1, maxLength: 8 });
const total = fc.integer({ min: 0, max: 60 });
const sum = (shares: readonly number[]) => shares.reduce((all, share) => all + share, 0);

/** Gives one drop at a time to the demand with the least by weight that wants more. */
function poured(wanted: readonly Demand[], amount: number, drop: number): number[] {
  const shares = wanted.map(() => 0);
  for (let left = amount; left > drop / 2; left -= drop) {
    let least: number | undefined;
    for (const [i, each] of wanted.entries()) {
      if ((shares[i] ?? 0) >= each.demand) continue;
      const levelOf = (at: number) => (shares[at] ?? 0) / (wanted[at]?.weight ?? 1);
      if (least === undefined || levelOf(i) < levelOf(least)) least = i;
    }
    if (least === undefined) break;
    shares[least] = (shares[least] ?? 0) + drop;
  }
  return shares;
}

test("the shares equal those of pouring drop by drop", () => {
  const drop = 1 / 32;
  fc.assert(
    fc.property(demands, total, (wanted, amount) => {
      const slow = poured(wanted, amount, drop);
      for (const [i, share] of maxMinShares(wanted, amount).entries()) {
        expect(Math.abs(share - (slow[i] ?? 0))).toBeLessThanOrEqual(drop * wanted.length);
      }
    }),
  );
});

test("no share exceeds its demand, all that is wanted is given, and no unmet demand has less by weight than another", () => {
  fc.assert(
    fc.property(demands, total, (wanted, amount) => {
      const shares = maxMinShares(wanted, amount);
      expect(sum(shares)).toBeCloseTo(Math.min(amount, sum(wanted.map((each) => each.demand))), 9);
      for (const [i, each] of wanted.entries()) {
        const own = shares[i] ?? 0;
        expect(own).toBeLessThanOrEqual(each.demand);
        if (own === each.demand) continue;
        for (const [j, other] of wanted.entries()) {
          expect((shares[j] ?? 0) / other.weight).toBeLessThanOrEqual(own / each.weight + 1e-9);
        }
      }
    }),
  );
});
