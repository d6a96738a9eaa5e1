/** A demand for a part of a total. Both values are finite or Infinity, and not negative. The weight is more than 0. */
export interface Demand {
  readonly demand: number;
  readonly weight: number;
}

/**
 * Weighted max-min fair shares of `total`, in the order of `demands`. No demand gets more than it wants. Surplus goes
 * to the other demands by weight. A share could grow only at the expense of a share that is smaller by weight. Source:
 * Bertsekas and Gallager, "Data Networks", section 6.5.2.
 */
export function maxMinShares(demands: readonly Demand[], total: number): readonly number[] {
  const shares = demands.map(() => 0);
  const modest = demands
    .map((each, i) => ({ ...each, i }))
    .toSorted((a, b) => a.demand / a.weight - b.demand / b.weight);
  let left = total;
  let weights = demands.reduce((sum, { weight }) => sum + weight, 0);
  for (const { demand, weight, i } of modest) {
    // Rounding may leave a value slightly below 0.
    const share = Math.min(demand, Math.max(0, (left * weight) / weights));
    shares[i] = share;
    left -= share;
    weights -= weight;
  }
  return shares;
}
