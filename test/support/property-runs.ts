/**
 * How often a law is tried: as often as it says, unless FC_RUNS says otherwise; by FC_SEED the same again. A failure names
 * its seed.
 */
export function propertyRuns(usual: number): { readonly numRuns: number; readonly seed?: number } {
  const { FC_RUNS, FC_SEED } = process.env;
  const numRuns = Number(FC_RUNS ?? usual);
  return FC_SEED === undefined ? { numRuns } : { numRuns, seed: Number(FC_SEED) };
}
