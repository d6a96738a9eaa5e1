import { backoffMs, type Random, type RetryPolicy } from "../../../kernel/retry.ts";
import type { RateLimitedError } from "../../answers/service-errors.ts";

/**
 * Waits after a 429 without Retry-After. Chosen: the first wait is shorter than a usual window, and the last is a
 * minute.
 */
const LIMITED: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 500, maxMs: 60_000 };

/**
 * A wait is reported when it is this many times as long as the rest of the pause before. Requests in flight announce
 * the same wait a little later.
 */
const NEWS = 2;
/**
 * Longest wait that a service may ask for, in milliseconds. Beyond it, a request is the better way to learn. Chosen.
 */
export const LONGEST_WAIT_MS = 3_600_000;

/**
 * How long all requests on a key wait after a 429, or after a 503 that announces a wait. A realtime event keeps to an
 * announced wait for `maxWaitMs` at most. One such request that is answered ends the pause for all.
 */
export class Pause {
  readonly #random: Random;
  readonly #maxWaitMs: number;
  #until = Number.NEGATIVE_INFINITY;
  #realtimeUntil = Number.NEGATIVE_INFINITY;
  #limitedAt = Number.NEGATIVE_INFINITY;
  #limitedInARow = 0;

  constructor(random: Random, maxWaitMs: number) {
    this.#random = random;
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Milliseconds from `now` until the pause ends. Negative when there is no pause.
   *
   * @param now milliseconds of any clock.
   * @param isRealtime whether a realtime event asks.
   */
  leftMs(now: number, isRealtime = false): number {
    return (isRealtime ? this.#realtimeUntil : this.#until) - now;
  }

  /**
   * Begins a pause after a 429. Requests that were in flight when the first 429 came say nothing new, unless they
   * announce a wait.
   *
   * @param isPaced whether a pacer decides how long to wait after a 429 without Retry-After.
   * @returns the length of the pause from `now` on, milliseconds, if it is worth reporting. Undefined: it is about as
   *   long as before.
   */
  limited({ retryAfterMs }: RateLimitedError, now: number, isPaced: boolean): number | undefined {
    if (!retryAfterMs && (now < this.#until || isPaced)) return undefined;
    // A service that announces no wait, or a wait of 0, gets a longer pause each time.
    const wait = Math.min(LONGEST_WAIT_MS, retryAfterMs || backoffMs(LIMITED, ++this.#limitedInARow, this.#random));
    return this.#begin(wait, now);
  }

  /**
   * The service announces that it is down for `waitMs`.
   *
   * @returns the length of the pause from `now` on, milliseconds, if it is worth reporting. Undefined: it is about as
   *   long as before.
   */
  announced(waitMs: number, now: number): number | undefined {
    return this.#begin(Math.min(LONGEST_WAIT_MS, waitMs), now);
  }

  #begin(wait: number, now: number): number | undefined {
    const leftMs = this.leftMs(now);
    this.#until = Math.max(this.#until, now + wait);
    this.#realtimeUntil = Math.max(this.#realtimeUntil, now + Math.min(wait, this.#maxWaitMs));
    this.#limitedAt = now;
    return leftMs > 0 && wait < NEWS * leftMs ? undefined : wait;
  }

  /** @param sentAt when the answered request was sent, milliseconds of the same clock. */
  answered(sentAt: number): void {
    this.#limitedInARow = 0;
    if (sentAt <= this.#limitedAt) return;
    this.#until = Number.NEGATIVE_INFINITY;
    this.#realtimeUntil = Number.NEGATIVE_INFINITY;
  }
}
