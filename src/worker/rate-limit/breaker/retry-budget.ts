/** Source: the AWS SDKs' standard retry quota: 500 tokens, 5 a retry and 10 a timeout; an answer brings one back. */
const CAPACITY = 500;
const COST = { failure: 5, timeout: 10 } as const;

export type RetryKind = keyof typeof COST;

/**
 * Bounds the retries of the whole process. While most requests fail, retries of all requests would only make it worse.
 * A retry that the budget does not cover waits in `RetryQueue`.
 */
export class RetryBudget {
  #tokens = CAPACITY;

  /** @returns whether the retry may be made. */
  spend(kind: RetryKind): boolean {
    if (this.#tokens < COST[kind]) return false;
    this.#tokens -= COST[kind];
    return true;
  }

  get isFull(): boolean {
    return this.#tokens === CAPACITY;
  }

  answered(): void {
    this.#tokens = Math.min(CAPACITY, this.#tokens + 1);
  }
}
