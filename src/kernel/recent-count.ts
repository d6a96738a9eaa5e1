const BUCKETS = 10;

/** How often something happened lately, to a tenth of the time that counts. Times are milliseconds from any one origin. */
export class RecentCount {
  readonly #bucketMs: number;
  readonly #counts = new Array<number>(BUCKETS).fill(0);
  #last = 0;

  /** @param forMs how long what happened is counted. */
  constructor(forMs: number) {
    this.#bucketMs = Math.max(1, forMs / BUCKETS);
  }

  /** It happens now. @param now never before that of an earlier call. */
  add(now: number): void {
    this.#moveTo(now);
    const at = this.#last % BUCKETS;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  /** @param now as of `add`. */
  sum(now: number): number {
    this.#moveTo(now);
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  #moveTo(now: number): void {
    const at = Math.floor(now / this.#bucketMs);
    for (let i = Math.max(this.#last + 1, at - BUCKETS + 1); i <= at; i++) this.#counts[i % BUCKETS] = 0;
    this.#last = at;
  }
}
