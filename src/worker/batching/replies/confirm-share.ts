/** Of the quota. Source: docs/decisions/0005-pooling.md. */
export const CONFIRM_SHARE = 0.2;

/** Shares are counted in thousandths: sums of fractions would lose a request now and then. */
const WHOLE = 1_000;

/**
 * How much of what is asked confirmations may take while others wait: every other request earns its part of one. What
 * is earned may be used much later, but no more is owed than one other request makes due.
 */
export class ConfirmShare {
  readonly #earned: number;
  readonly #price: number;
  #credit = 0;

  /** @param share of all requests; more than 0, at most 1: then confirmations go first. */
  constructor(share: number) {
    this.#earned = Math.round(share * WHOLE);
    this.#price = WHOLE - this.#earned;
  }

  /** Whether one is earned. */
  get isDue(): boolean {
    return this.#credit >= this.#price;
  }

  /** Another request left. */
  other(): void {
    // What one request earns beyond a confirmation is kept: it may be several.
    if (!this.isDue) this.#credit += this.#earned;
  }

  /** A confirmation left, earned or because nobody else waited. */
  confirmed(): void {
    this.#credit = Math.max(0, this.#credit - this.#price);
  }
}
