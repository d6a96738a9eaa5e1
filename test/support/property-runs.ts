/**
 * Number of runs of a property: `usual`, unless FC_RUNS sets another. FC_SEED repeats a run. A failure names its seed.
 */
export function propertyRuns(usual: number): { readonly numRuns: number; readonly seed?: number } {
  const { FC_RUNS, FC_SEED } = process.env;
  const numRuns = Number(FC_RUNS ?? usual);
  return FC_SEED === undefined ? { numRuns } : { numRuns, seed: Number(FC_SEED) };
}
