import type { Random } from "../../../kernel/retry.ts";

/** When flags of one kind are believed, and how often a believed flag is confirmed all the same. */
export interface Trust {
  /** Confirmations that must agree before any flag is believed. */
  readonly needed: number;
  /**
   * At first, one in `oneIn` believed flags is confirmed. The number grows by one for every `slowness` believed flags.
   */
  readonly oneIn: number;
  readonly slowness: number;
  /** At least one in this many believed flags is always confirmed. */
  readonly oneInAtMost: number;
}

/** Factor by which a disagreement raises the number of confirmations that must agree. Chosen. */
const AFTER_DISAGREEMENT = 4;

/**
 * Whether flags of one kind from a batch are believed without a confirmation. Confirmations that agree make further
 * confirmations rarer. They are drawn at random, so the service cannot foresee them. One confirmation that disagrees
 * ends the belief.
 */
export class Agreements {
  readonly #trust: Trust;
  readonly #random: Random;
  #needed: number;
  #agreed = 0;
  #believed = 0;

  constructor(trust: Trust, random: Random) {
    this.#trust = trust;
    this.#random = random;
    this.#needed = trust.needed;
  }

  /** Whether one more flag is believed without a confirmation. */
  believe(): boolean {
    if (this.#agreed < this.#needed) return false;
    const { oneIn, slowness, oneInAtMost } = this.#trust;
    const among = Math.min(oneInAtMost, oneIn + this.#believed / slowness);
    if (this.#random() < 1 / among) return false;
    this.#believed++;
    return true;
  }

  agreed(): void {
    this.#agreed++;
  }

  /**
   * Ends the belief.
   *
   * @returns how many flags were believed since the belief began.
   */
  disagreed(): number {
    const believed = this.#believed;
    this.#agreed = 0;
    this.#believed = 0;
    this.#needed = AFTER_DISAGREEMENT * Math.max(1, this.#needed);
    return believed;
  }
}
