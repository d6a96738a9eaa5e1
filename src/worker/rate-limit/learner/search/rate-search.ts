/** A time at which a used-up quota accepted requests again. */
export interface Opening {
  /** Milliseconds on a monotonic clock. */
  readonly at: number;
  /** Uncertainty of `at`, milliseconds. */
  readonly unsureMs: number;
  /** Requests accepted before the opening. */
  readonly taken: number;
}

/** Finds the rate of a quota. Rates are requests per second. */
export interface RateSearch {
  /** The rate to send at while the search runs. */
  readonly rate: number;
  /** Shortest step that allows a conclusion, milliseconds, and its number of requests. */
  readonly stepMs: number;
  readonly stepRequests: number;
  /** A step passed without a 429. @returns the rate to use from now on, once it is found. */
  passed(): number | undefined;
  /**
   * After a 429, requests are accepted again.
   *
   * @param usedUpAt when the first refused request was sent.
   * @returns the rate to use from now on, once it is found.
   */
  opened(opening: Opening, usedUpAt: number): number | undefined;
  /** Requests are accepted again, but earlier outcomes say nothing. */
  restart(opening: Opening): void;
}
