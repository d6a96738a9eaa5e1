/** How a service counts the requests of one key. Times are milliseconds; `takes` is called in their order. */
export interface Counter {
  /** Whether a request that arrives now is taken; one that is refused costs nothing. */
  takes(now: number): boolean;
  /** When the next one would be taken, as a service that says so knows it. */
  freeAt(now: number): number;
}

/** Requests a window, which may change at any time. */
export type Allowed = () => number;

/** So many in each window; windows begin at `phaseMs`, and one after the other from there. */
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

/** So many in the time before each request. */
export class SlidingWindow implements Counter {
  readonly #allowed: Allowed;
  readonly #windowMs: number;
  /** When those arrived that were taken, and which of them is the first that counts. */
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

/** A bucket of `burst` tokens that fills by so many a window. */
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
    // A bucket that does not fill at all says something, too.
    return now + ((1 - this.#tokens) * this.#windowMs) / Math.max(1, this.#allowed());
  }
}

/** At most so many at once, of those that `inner` takes. `release` tells of the end of one. */
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
