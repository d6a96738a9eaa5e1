import type { Random } from "./random.ts";

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
