/** A shorter answer moves the estimate by this share of the difference. Chosen: forty answers forget a slow one. */
const SHORTER_SHARE = 0.05;

/**
 * Estimates how long an answer takes, in milliseconds. The estimate is rather too long, so that the last request to be
 * sent is answered in time.
 */
export class AnswerTime {
  #ms = 0;

  /** Milliseconds; 0 before the first answer. */
  get ms(): number {
    return this.#ms;
  }

  /** Records the duration of one answer. A longer duration counts at once, a shorter one gradually. */
  took(ms: number): void {
    this.#ms = ms > this.#ms ? ms : this.#ms + (ms - this.#ms) * SHORTER_SHARE;
  }
}
