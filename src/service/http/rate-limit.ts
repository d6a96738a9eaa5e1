import type { Clock } from "../../kernel/clock.ts";

/** Number of requests that a key may make in one window. */
export interface RequestQuota {
  readonly requests: number;
  readonly windowMs: number;
}

/** Fixed windows per key, in memory. Off unless an operator sets a quota. */
export class RateLimit {
  readonly #quota: RequestQuota;
  readonly #clock: Clock;
  readonly #used = new Map<string, { windowEndsAt: number; requests: number }>();

  constructor(quota: RequestQuota, clock: Clock) {
    this.#quota = quota;
    this.#clock = clock;
  }

  /** Counts one request of `key`. @returns milliseconds to wait when the window is used up, else 0. */
  take(key: string): number {
    const now = this.#clock.ticks();
    const window = this.#used.get(key);
    if (window === undefined || now >= window.windowEndsAt) {
      this.#used.set(key, { windowEndsAt: now + this.#quota.windowMs, requests: 1 });
      return 0;
    }
    if (window.requests >= this.#quota.requests) return window.windowEndsAt - now;
    window.requests++;
    return 0;
  }
}
