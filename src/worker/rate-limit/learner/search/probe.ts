/** Growth of the rate in the first step, relative to the base, and the factor for each further step. */
const FIRST_GROWTH = 0.05;
const MORE_GROWTH = 3;
/**
 * Beyond this growth the rate rises only when more requests are accepted than expected. A burst must be used up before
 * its refill rate shows, and a faster rate uses it up sooner. A quota that has doubled looks like one that has not.
 */
const ENOUGH_GROWTH = 1;
const MIN_STEP_MS = 500;

/** Tries faster rates in steps, until a 429 ends it. Rates are requests per second. */
export class FasterRateProbe {
  readonly stepRequests = 3;
  readonly #base: number;
  readonly #perSecond: number;
  readonly #windowMs: number;
  readonly #begunAt: number;
  #growth = FIRST_GROWTH;
  #passedGrowth = 0;
  #taken = 0;

  /** @param base the initial rate. @param perSecond the measured quota. */
  constructor({
    base,
    perSecond,
    windowMs,
    now,
  }: {
    readonly base: number;
    readonly perSecond: number;
    readonly windowMs: number;
    readonly now: number;
  }) {
    this.#base = base;
    this.#perSecond = perSecond;
    this.#windowMs = windowMs;
    this.#begunAt = now;
  }

  get rate(): number {
    return this.#base * (1 + this.#growth);
  }

  /** The fastest rate with a whole step without a 429. */
  get passedRate(): number {
    return this.#base * (1 + this.#passedGrowth);
  }

  get stepMs(): number {
    return Math.max(MIN_STEP_MS, this.#windowMs / 4);
  }

  /** @param isNews whether more requests were accepted so far than the known quota explains. */
  passed(isNews: boolean): void {
    this.#passedGrowth = this.#growth;
    if (isNews || this.#growth < ENOUGH_GROWTH) this.#growth *= MORE_GROWTH;
  }

  /** @param sentAt when the request was sent. Requests from before the probe do not count. */
  taken(sentAt: number): void {
    if (sentAt >= this.#begunAt) this.#taken++;
  }

  /** Requests accepted beyond the measured rate until `now`. */
  excess(now: number): number {
    return this.#taken - (this.#perSecond * (now - this.#begunAt)) / 1_000;
  }

  /** Requests per second that were accepted until `now`. */
  takenRate(now: number): number {
    return (1_000 * this.#taken) / (now - this.#begunAt);
  }
}
