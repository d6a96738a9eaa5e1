/** Uniform in [0, 1). Injected, so that jitter and sampling are reproducible under a seed. */
export type Random = () => number;

/**
 * Seeded generator for tests, simulations and benchmarks; never for keys.
 * Source: mulberry32, public domain (Tommy Ettinger, 2017).
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
