/**
 * Requests that are made without a 429 before more is tried; after a try that failed four times as many. Chosen: one 429
 * in so many is half of what "at most 0.1 %" allows.
 */
const FIRST_REQUESTS = 2_000;
const LONGER = 4;
const MOST_REQUESTS = 128_000;

/**
 * Whether a given quota may be used up to its own rate. The pace that no window refuses leaves a request of each process
 * unused in every window (`minTimeMs`), which is much of a small quota; a bucket of tokens takes it, since evenly spaced
 * requests never empty one. Nobody says how the service counts, so it is tried now and then, and a 429 ends it: that is
 * the price, one in thousands. Each process finds out for itself.
 */
export class Headroom {
  readonly #onChange: (isOpen: boolean) => void;
  #isOpen = false;
  /** Requests without a 429, since the last one or the last change. */
  #taken = 0;
  #needed = FIRST_REQUESTS;

  /** @param onChange told when the pace is to change. */
  constructor(onChange: (isOpen: boolean) => void) {
    this.#onChange = onChange;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** A request was answered with something else than a 429. */
  taken(): void {
    this.#taken++;
    if (!this.#isOpen && this.#taken >= this.#needed) this.#become(true);
  }

  /** A request got a 429, whoever's fault it was. */
  refused(): void {
    if (this.#isOpen) {
      // What held for so long was worth its price.
      const heldLong = this.#taken >= FIRST_REQUESTS;
      this.#needed = heldLong ? FIRST_REQUESTS : Math.min(MOST_REQUESTS, LONGER * this.#needed);
      this.#become(false);
    }
    this.#taken = 0;
  }

  #become(isOpen: boolean): void {
    this.#isOpen = isOpen;
    this.#taken = 0;
    this.#onChange(isOpen);
  }
}
