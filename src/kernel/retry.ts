export interface RetryPolicy {
  /** Total number of calls, the first included. At least 1. */
  readonly attempts: number;
  /** Upper bound of the first wait, milliseconds. Doubles each time. */
  readonly baseMs: number;
  /** No wait is longer than this, milliseconds. */
  readonly maxMs: number;
}

/**
 * Full-jitter wait before the call after attempt `attempt` (1-based), in [0, min(maxMs, baseMs * 2^(attempt-1))).
 * Source: "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
 */
export function backoffMs(policy: RetryPolicy, attempt: number, random: Random): number {
  return random() * Math.min(policy.maxMs, policy.baseMs * 2 ** (attempt - 1));
}

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
