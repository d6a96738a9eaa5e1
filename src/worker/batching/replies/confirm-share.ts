/** Share of the quota for confirmations. Source: docs/decisions/0005-pooling.md. */
export const CONFIRM_SHARE = 0.2;

/** Shares are counted in thousandths. Sums of fractions would lose a request now and then. */
const WHOLE = 1_000;

/**
 * The share of requests that confirmations may take while other entries wait. Every other request earns its part of a
 * confirmation. Credit does not expire, but it is limited to what one other request adds.
 */
export class ConfirmShare {
  readonly #earned: number;
  readonly #price: number;
  #credit = 0;

  /** @param share Share of all requests, more than 0 and at most 1. With 1, confirmations go first. */
  constructor(share: number) {
    this.#earned = Math.round(share * WHOLE);
    this.#price = WHOLE - this.#earned;
  }

  /** Whether a confirmation is earned. */
  get isDue(): boolean {
    return this.#credit >= this.#price;
  }

  /** Another request left. */
  other(): void {
    // Credit beyond one confirmation is kept: one request may earn several confirmations.
    if (!this.isDue) this.#credit += this.#earned;
  }

  /** A confirmation left, because it was earned or because no other entry waited. */
  confirmed(): void {
    this.#credit = Math.max(0, this.#credit - this.#price);
  }
}
