import type { Random } from "../../../kernel/random.ts";
import { backoffMs, type RetryPolicy } from "../../../kernel/retry.ts";
import type { RateLimitedError } from "../../answers/service-errors.ts";

/** Waits after a 429 that does not say how long. Chosen: the first shorter than a usual window, the last a minute. */
const LIMITED: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 500, maxMs: 60_000 };

/** A wait so many times as long as what is left of the one before is worth telling; what is on its way says the same a little later. */
const NEWS = 2;
/** Longest wait that a service may ask for, milliseconds: beyond it, asking is the better way to learn. Chosen. */
export const LONGEST_WAIT_MS = 3_600_000;

/**
 * How long everything on a key waits after a 429, or a 503 that says how long. A realtime event keeps to an announced wait for `maxWaitMs` at most; one
 * request that is answered then ends the wait for all.
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
   * Milliseconds from `now` on; none are left when it is negative.
   *
   * @param now milliseconds of any clock.
   * @param isRealtime whether a realtime event asks.
   */
  leftMs(now: number, isRealtime = false): number {
    return (isRealtime ? this.#realtimeUntil : this.#until) - now;
  }

  /**
   * The requests that were on their way when the first 429 came say nothing new, unless they say how long.
   *
   * @param isPaced whether somebody else finds out how long to wait, when the 429 does not say.
   * @returns for how long it waits from `now` on, milliseconds, where that is news; undefined: about as long as before.
   */
  limited({ retryAfterMs }: RateLimitedError, now: number, isPaced: boolean): number | undefined {
    if (!retryAfterMs && (now < this.#until || isPaced)) return undefined;
    // A server that names no time, or none at all, is left alone for longer each time.
    const wait = Math.min(LONGEST_WAIT_MS, retryAfterMs || backoffMs(LIMITED, ++this.#limitedInARow, this.#random));
    return this.#begin(wait, now);
  }

  /** The service says that it is down for so long. @returns as `limited`. */
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

  /** @param sentAt when the answered request left, milliseconds of the same clock. */
  answered(sentAt: number): void {
    this.#limitedInARow = 0;
    if (sentAt <= this.#limitedAt) return;
    this.#until = Number.NEGATIVE_INFINITY;
    this.#realtimeUntil = Number.NEGATIVE_INFINITY;
  }
}
