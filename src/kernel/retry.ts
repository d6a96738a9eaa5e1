import type { Clock } from "./clock.ts";
import { AppError } from "./errors.ts";
import type { Random } from "./random.ts";

export interface RetryPolicy {
  /** Calls in all, the first included. At least 1. */
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

/**
 * Calls `fn` until it resolves, until it throws something not retryable, or until `policy.attempts` are spent.
 *
 * @throws the last error of `fn`, unwrapped; or `signal.reason` when aborted while waiting.
 */
export async function withRetry<T>(
  fn: (attempt: number) => Promise<T>,
  policy: RetryPolicy,
  deps: { readonly clock: Clock; readonly random: Random },
  signal?: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fn(attempt);
    } catch (thrown) {
      const again = thrown instanceof AppError && thrown.retryable && attempt < policy.attempts;
      if (!again) throw thrown;
      await deps.clock.sleep(backoffMs(policy, attempt, deps.random), signal);
    }
  }
}
