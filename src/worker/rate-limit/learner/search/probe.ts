/** How much faster the first step is, of a rate of 1, and how much more each next one. */
const FIRST_GROWTH = 0.05;
const MORE_GROWTH = 3;
/**
 * From there on it goes faster only when there is something new: a burst is used up before it shows how fast it fills
 * again, the sooner the faster, and a quota that has doubled looks like one that has not.
 */
const ENOUGH_GROWTH = 1;
const MIN_STEP_MS = 500;

/** A try of a faster rate, in steps, until a 429 ends it. Rates are requests a second. */
export class FasterRateProbe {
  readonly stepRequests = 3;
  readonly #base: number;
  readonly #perSecond: number;
  readonly #windowMs: number;
  readonly #begunAt: number;
  #growth = FIRST_GROWTH;
  #passedGrowth = 0;
  #taken = 0;

  /** @param base the rate it begins from. @param perSecond what the quota was measured to be. */
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

  /** The fastest rate of which a step went by without a 429. */
  get passedRate(): number {
    return this.#base * (1 + this.#passedGrowth);
  }

  get stepMs(): number {
    return Math.max(MIN_STEP_MS, this.#windowMs / 4);
  }

  /** @param isNews whether more was taken by now than the known quota explains. */
  passed(isNews: boolean): void {
    this.#passedGrowth = this.#growth;
    if (isNews || this.#growth < ENOUGH_GROWTH) this.#growth *= MORE_GROWTH;
  }

  /** @param sentAt when it left: what left before does not count. */
  taken(sentAt: number): void {
    if (sentAt >= this.#begunAt) this.#taken++;
  }

  /** Requests that were taken beyond the measured rate until `now`. */
  excess(now: number): number {
    return this.#taken - (this.#perSecond * (now - this.#begunAt)) / 1_000;
  }

  /** Requests a second that were taken until `now`. */
  takenRate(now: number): number {
    return (1_000 * this.#taken) / (now - this.#begunAt);
  }
}
