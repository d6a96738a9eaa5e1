/** One that wants a part of something. Both are finite or Infinity, and not negative; the weight is more than 0. */
export interface Demand {
  readonly demand: number;
  readonly weight: number;
}

/**
 * Weighted max-min fair shares of `total`, in the order of `demands`: nobody gets more than it wants, and what one does
 * not want goes to the others by weight, so that nobody could have more but by taking from one who has less by weight.
 * Source: Bertsekas and Gallager, "Data Networks", section 6.5.2.
 */
export function maxMinShares(demands: readonly Demand[], total: number): readonly number[] {
  const shares = demands.map(() => 0);
  const modest = demands
    .map((each, i) => ({ ...each, i }))
    .toSorted((a, b) => a.demand / a.weight - b.demand / b.weight);
  let left = total;
  let weights = demands.reduce((sum, { weight }) => sum + weight, 0);
  for (const { demand, weight, i } of modest) {
    // Rounding may leave a little less than nothing.
    const share = Math.min(demand, Math.max(0, (left * weight) / weights));
    shares[i] = share;
    left -= share;
    weights -= weight;
  }
  return shares;
}
