/** Facts about a token that no node provides, as far as an index provides them. */
export interface TokenRecord {
  /** Number of addresses with a balance. */
  readonly holders?: number;
  /** Percent of the supply in the largest account without code, and in the five largest. */
  readonly top1Percent?: number;
  readonly top5Percent?: number;
  /** Unix time, seconds. */
  readonly deployedAtSec?: number;
}

/** An index of tokens. */
export interface TokenIndex {
  /** Returns the index's record of a token. Empty when the index does not answer. @throws only `signal.reason`. */
  recordOf(chainId: string, address: string, signal: AbortSignal): Promise<TokenRecord>;
}
