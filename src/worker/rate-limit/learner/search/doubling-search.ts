/**
 * The first rate, and the rate from which there is no pace, in requests per second. A process makes little more than
 * twice that rate.
 */
const FIRST = 10;
const UNPACED = 400;
/**
 * Without a pace the count starts again after this time, milliseconds. Requests that were accepted an hour ago say
 * nothing.
 */
const RECENT_MS = 30_000;

interface Mark {
  readonly at: number;
  readonly taken: number;
}

/** Doubles the rate, in requests per second, until the first 429. */
export class DoublingSearch {
  readonly stepMs = 250;
  readonly stepRequests = 5;
  #rate = FIRST;
  #since: Mark | undefined;
  #next: Mark | undefined;

  get rate(): number {
    return this.#rate;
  }

  /** A request is sent. @param taken requests accepted so far. */
  sent(now: number, taken: number): void {
    const mark = { at: now, taken };
    this.#since ??= mark;
    this.#next ??= mark;
    if (Number.isFinite(this.#rate) || now - this.#next.at < RECENT_MS) return;
    this.#since = this.#next;
    this.#next = mark;
  }

  passed(): void {
    this.#rate = 2 * this.#rate < UNPACED ? 2 * this.#rate : Number.POSITIVE_INFINITY;
  }

  /** The load did not use the rate. Requests that are accepted at a slower rate say nothing. */
  unused(): void {
    this.#since = undefined;
    this.#next = undefined;
  }

  /**
   * The quota was used up, and opened again at `at`.
   *
   * @returns the length of the search in milliseconds, and the requests per second that were accepted.
   */
  found({ at, taken }: Mark): { readonly lengthMs: number; readonly perSecond: number } {
    const since = this.#since ?? { at: at - this.stepMs, taken: 0 };
    const lengthMs = at - since.at;
    return { lengthMs, perSecond: (1_000 * (taken - since.taken)) / lengthMs };
  }
}
