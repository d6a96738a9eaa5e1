import { type Demand, maxMinShares } from "./max-min.ts";

/**
 * Max-min fair shares of `total` in whole numbers, each at least 1. A smaller share could grow only if another share
 * lost a whole request. The remainder after rounding down goes to demands that want more, to other demands in each
 * turn.
 *
 * @param total at least the number of demands.
 * @param turn counts the turns.
 */
export function wholeShares(demands: readonly Demand[], total: number, turn: number): readonly number[] {
  const more = demands.map(({ demand, weight }) => ({ demand: Math.max(0, Math.ceil(demand) - 1), weight }));
  const shares = maxMinShares(more, total - demands.length).map((share) => 1 + Math.floor(share));
  const left = total - shares.reduce((sum, share) => sum + share, 0);
  const eager = [...demands.keys()].filter((i) => (more[i]?.demand ?? 0) >= (shares[i] ?? 0));
  for (let k = 0; k < Math.min(left, eager.length); k++) {
    const i = eager[(turn * left + k) % eager.length] ?? 0;
    shares[i] = (shares[i] ?? 0) + 1;
  }
  return shares;
}
