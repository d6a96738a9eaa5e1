/** A moment in which a used-up quota took requests again. */
export interface Opening {
  /** Milliseconds on a monotonic clock. */
  readonly at: number;
  /** It may have been so much sooner or later, milliseconds. */
  readonly unsureMs: number;
  /** Requests taken before it. */
  readonly taken: number;
}

/** Finds a quota's rate out. Rates are requests a second. */
export interface Finder {
  /** How fast to send meanwhile. */
  readonly rate: number;
  /** A step means something when it lasted so long, milliseconds, and had so many requests. */
  readonly stepMs: number;
  readonly stepRequests: number;
  /** A step went by without a 429. @returns the rate to send at from now on, once it is found. */
  passed(): number | undefined;
  /** After a 429, requests are taken again. @param usedUpAt when the first refused one left. @returns as `passed`. */
  opened(opening: Opening, usedUpAt: number): number | undefined;
  /** Requests are taken again, but what came before says nothing. */
  restart(opening: Opening): void;
}
