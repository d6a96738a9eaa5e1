/** What nodes do not tell of a token, as far as somebody else does. */
export interface TokenRecord {
  /** Addresses that have some of it. */
  readonly holders?: number;
  /** Percent of the supply that the largest holder without code has, and the five largest. */
  readonly top1Percent?: number;
  readonly top5Percent?: number;
  /** Unix time, seconds. */
  readonly deployedAtSec?: number;
}

/** An index of tokens. */
export interface TokenIndex {
  /** What it knows; nothing when it does not answer. @throws only `signal.reason`. */
  recordOf(chainId: string, address: string, signal: AbortSignal): Promise<TokenRecord>;
}
