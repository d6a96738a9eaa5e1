/** Largest weight that counts. `SERVICE_QUOTA_WEIGHT` has the same limit. */
export const MOST_WEIGHT = 100;
/** Lowest weight that counts, as a share of the average weight. */
const LEAST_PART = 0.1;

/**
 * Bounds the stated weights. Any process with write access to the topic may state any weight, also by mistake. No
 * process gets less than about a tenth of an equal share because of the weights that others state.
 */
export function fairWeights(weights: readonly number[]): readonly number[] {
  const bounded = weights.map((weight) => Math.min(MOST_WEIGHT, weight));
  const least = (LEAST_PART * bounded.reduce((sum, weight) => sum + weight, 0)) / bounded.length;
  return bounded.map((weight) => Math.max(least, weight));
}
