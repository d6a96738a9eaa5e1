/** Part of the way from a longer time to a shorter one that one answer goes. Chosen: forty answers forget a slow one. */
const SHORTER_SHARE = 0.05;

/** How long an answer takes, milliseconds: rather too long, so that what is sent last is answered in time. */
export class AnswerTime {
  #ms = 0;

  /** 0 before the first answer. */
  get ms(): number {
    return this.#ms;
  }

  /** An answer took so long. A longer time counts at once, a shorter one little by little. */
  took(ms: number): void {
    this.#ms = ms > this.#ms ? ms : this.#ms + (ms - this.#ms) * SHORTER_SHARE;
  }
}
