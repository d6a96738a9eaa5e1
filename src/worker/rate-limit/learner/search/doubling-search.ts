/** Requests a second: to begin with; and from where on there is no pace: a process makes little more than the next one. */
const FIRST = 10;
const UNPACED = 400;
/** Without a pace the count begins anew after so long, milliseconds: what was taken an hour ago says nothing. */
const RECENT_MS = 30_000;

interface Mark {
  readonly at: number;
  readonly taken: number;
}

/** Doubles the rate, requests a second, until the first 429. */
export class RateSearch {
  readonly stepMs = 250;
  readonly stepRequests = 5;
  #rate = FIRST;
  #since: Mark | undefined;
  #next: Mark | undefined;

  get rate(): number {
    return this.#rate;
  }

  /** A request leaves. @param taken how many were taken so far. */
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

  /** Its rate was not asked for: what was taken so slowly says nothing. */
  unused(): void {
    this.#since = undefined;
    this.#next = undefined;
  }

  /** The quota was used up, and opened again at `at`. @returns since when the search counts, and how many a second were taken. */
  found({ at, taken }: Mark): { readonly lengthMs: number; readonly perSecond: number } {
    const since = this.#since ?? { at: at - this.stepMs, taken: 0 };
    const lengthMs = at - since.at;
    return { lengthMs, perSecond: (1_000 * (taken - since.taken)) / lengthMs };
  }
}
