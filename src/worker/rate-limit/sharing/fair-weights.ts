/** Nobody weighs more; `SERVICE_QUOTA_WEIGHT` allows no more either. */
export const MOST_WEIGHT = 100;
/** Of the average, what everybody weighs at least. */
const LEAST_PART = 0.1;

/**
 * Weights as they count. Whoever may write to the topic may state any, by mistake, too: nobody is left with less than
 * about a tenth of an equal share for what others say of themselves.
 */
export function fairWeights(weights: readonly number[]): readonly number[] {
  const bounded = weights.map((weight) => Math.min(MOST_WEIGHT, weight));
  const least = (LEAST_PART * bounded.reduce((sum, weight) => sum + weight, 0)) / bounded.length;
  return bounded.map((weight) => Math.max(least, weight));
}
