/** How a service counts the requests of one key. Times are milliseconds. `takes` is called in order of time. */
export interface Counter {
  /** Whether a request that arrives now is accepted. A refused request costs nothing. */
  takes(now: number): boolean;
  /** When the next request would be accepted, for services that announce it. */
  freeAt(now: number): number;
}

/** Requests per window, which may change at any time. */
export type Allowed = () => number;

/** A limit per window. Windows begin at `phaseMs`, and follow one another from there. */
export class FixedWindow implements Counter {
  readonly #allowed: Allowed;
  readonly #windowMs: number;
  readonly #phaseMs: number;
  #window = Number.NaN;
  #taken = 0;

  constructor(allowed: Allowed, windowMs: number, phaseMs: number) {
    this.#allowed = allowed;
    this.#windowMs = windowMs;
    this.#phaseMs = phaseMs;
  }

  takes(now: number): boolean {
    const window = Math.floor((now - this.#phaseMs) / this.#windowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#taken = 0;
    }
    if (this.#taken >= this.#allowed()) return false;
    this.#taken++;
    return true;
  }

  freeAt(now: number): number {
    const into = (now - this.#phaseMs) % this.#windowMs;
    return now + this.#windowMs - (into < 0 ? into + this.#windowMs : into);
  }
}

/** A limit on the requests in the window before each request. */
export class SlidingWindow implements Counter {
  readonly #allowed: Allowed;
  readonly #windowMs: number;
  /** When the accepted requests arrived, and the index of the first one that counts. */
  #taken: number[] = [];
  #first = 0;

  constructor(allowed: Allowed, windowMs: number) {
    this.#allowed = allowed;
    this.#windowMs = windowMs;
  }

  takes(now: number): boolean {
    while ((this.#taken[this.#first] ?? now) <= now - this.#windowMs) this.#first++;
    if (2 * this.#first > this.#taken.length) {
      this.#taken = this.#taken.slice(this.#first);
      this.#first = 0;
    }
    if (this.#taken.length - this.#first >= this.#allowed()) return false;
    this.#taken.push(now);
    return true;
  }

  freeAt(now: number): number {
    return Math.max(now, (this.#taken[this.#first] ?? now - this.#windowMs) + this.#windowMs);
  }
}

/** A bucket of `burst` tokens that is refilled at a rate per window. */
export class TokenBucket implements Counter {
  readonly #allowed: Allowed;
  readonly #windowMs: number;
  readonly #burst: number;
  #tokens: number;
  #at = Number.NaN;

  constructor(allowed: Allowed, windowMs: number, burst: number) {
    this.#allowed = allowed;
    this.#windowMs = windowMs;
    this.#burst = burst;
    this.#tokens = burst;
  }

  takes(now: number): boolean {
    const sinceMs = Number.isNaN(this.#at) ? 0 : now - this.#at;
    this.#tokens = Math.min(this.#burst, this.#tokens + (sinceMs * this.#allowed()) / this.#windowMs);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  freeAt(now: number): number {
    // A finite time even for a bucket that is not refilled at all.
    return now + ((1 - this.#tokens) * this.#windowMs) / Math.max(1, this.#allowed());
  }
}

/** A limit on concurrent requests, for requests that `inner` accepts. `release` reports the end of one. */
export class Concurrent implements Counter {
  readonly #inner: Counter;
  readonly #most: number;
  #running = 0;

  constructor(inner: Counter, most: number) {
    this.#inner = inner;
    this.#most = most;
  }

  takes(now: number): boolean {
    if (this.#running >= this.#most || !this.#inner.takes(now)) return false;
    this.#running++;
    return true;
  }

  release(): void {
    this.#running--;
  }

  freeAt(now: number): number {
    return this.#inner.freeAt(now);
  }
}
