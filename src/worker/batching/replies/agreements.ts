import type { Random } from "../../../kernel/random.ts";

/** How a kind of flag comes to be believed, and how often it is confirmed all the same. */
export interface Trust {
  /** Confirmations that must have agreed before any flag is believed. */
  readonly needed: number;
  /** One in so many of the first believed flags is confirmed; the number grows by one for every `slowness` believed flags. */
  readonly oneIn: number;
  readonly slowness: number;
  /** At least one in so many is confirmed, for good. */
  readonly oneInAtMost: number;
}

/** Times as many confirmations as before are needed after a disagreement. Chosen. */
const AFTER_DISAGREEMENT = 4;

/**
 * Whether pooled flags of one kind are believed without a confirmation. Confirmations that agreed make them rarer, at
 * random, so that the service cannot foresee them. One that disagrees ends the belief.
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

  /** Whether one more flag is believed unconfirmed. */
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

  /** Ends the belief. @returns how many flags were believed since it began. */
  disagreed(): number {
    const believed = this.#believed;
    this.#agreed = 0;
    this.#believed = 0;
    this.#needed = AFTER_DISAGREEMENT * Math.max(1, this.#needed);
    return believed;
  }
}
