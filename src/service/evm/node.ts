import { AppError } from "../../kernel/errors.ts";

/** A value that a chain keeps about an address. `slot` is a storage key: 0x and 64 hex digits. */
export type StateRead =
  | { readonly of: "code" | "balance" | "nonce"; readonly address: string }
  | { readonly of: "storage"; readonly address: string; readonly slot: string };

/** A call that changes nothing. Addresses are canonical. `data` is 0x and hex. */
export interface ViewCall {
  readonly to: string;
  readonly data: string;
}

/** Replaces the chain's state at an address for one call. Code, keys and words are 0x and hex. */
export interface StateOverride {
  readonly address: string;
  readonly code?: string;
  readonly balance?: bigint;
  /** Words of storage by their keys. All other words stay unchanged. */
  readonly words?: Readonly<Record<string, string>>;
}

/** A call on state that is changed for this call only. */
export interface Experiment extends ViewCall {
  readonly from: string;
  /**
   * Sets the chain's present gas price, for which the sender needs coins. Code can recognize a call without a gas
   * price.
   */
  readonly pays?: true;
  readonly overrides: readonly StateOverride[];
}

/** The result of a call. `ok` is false when the called code failed, for whatever reason. */
export type CallResult = { readonly ok: true; readonly data: Uint8Array } | { readonly ok: false };

/** A transaction that is executed without being sent, and the reads before and after it. */
export interface Rehearsal {
  readonly from: string;
  readonly to: string;
  /** Wei. */
  readonly value: bigint;
  /** 0x and hex. */
  readonly data: string;
  readonly views: readonly ViewCall[];
  readonly overrides: readonly StateOverride[];
}

/** Calls in one future block. */
export interface LaterBlock {
  /** Unix time of the block, seconds. Undefined: the next block, at its own time. */
  readonly timeSec: bigint | undefined;
  /** Number of blocks after the preceding one. */
  readonly blocks: bigint;
  readonly calls: readonly (ViewCall & { readonly from: string; readonly gas: bigint })[];
}

/** A log of a contract. `topics` and `data` are lower-case hex digits. */
export interface EvmEventLog {
  readonly contract: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** A movement of native coins, wei. */
export interface CoinMove {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

/** How a transaction ended. `returned` holds the first bytes of the return data of a failed transaction. */
export type TransactionEnding = { readonly ok: true } | { readonly ok: false; readonly returned: Uint8Array };

/** The result of a rehearsal. `before` and `after` hold one result per view. */
export interface Rehearsed {
  readonly ending: TransactionEnding;
  readonly before: readonly CallResult[];
  readonly after: readonly CallResult[];
  readonly logs: readonly EvmEventLog[];
  readonly coins: readonly CoinMove[];
}

/**
 * One EVM chain, read through its nodes. Every method throws {NodeUnavailableError} when no node gives a credible
 * answer.
 */
export interface EvmNode {
  /** Canonical id, decimal. */
  readonly chainId: string;
  /** Returns the number of the newest known block, at most a second old. */
  head(signal: AbortSignal): Promise<bigint>;
  /**
   * Reads state after block `at`, one answer per read. The answer is bytes for `code`, and a word of 32 bytes
   * otherwise.
   */
  read(reads: readonly StateRead[], at: bigint, signal: AbortSignal): Promise<readonly Uint8Array[]>;
  /** Runs independent calls on the state after block `at`. Returns one result per call. */
  call(calls: readonly ViewCall[], at: bigint, signal: AbortSignal): Promise<readonly CallResult[]>;
  /**
   * Runs independent calls on changed state, with gas for some transfers and trades. Results are not cached, because
   * each call is made once.
   */
  experiment(experiments: readonly Experiment[], at: bigint, signal: AbortSignal): Promise<readonly CallResult[]>;
  /**
   * Runs calls in future blocks, each on the state that the calls before it left, with a gas price (eth_simulateV1).
   * Returns the first word of each result, by block and call. Undefined when the node does not support it.
   */
  follow(
    blocks: readonly LaterBlock[],
    overrides: readonly StateOverride[],
    at: bigint,
    signal: AbortSignal,
  ): Promise<readonly (readonly CallResult[])[] | undefined>;
  /**
   * Executes a transaction on the state after block `at` (eth_simulateV1). `too_poor`: the sender cannot pay the value.
   * Undefined when the node does not simulate, or reports no movements of coins.
   */
  rehearse(rehearsal: Rehearsal, at: bigint, signal: AbortSignal): Promise<Rehearsed | "too_poor" | undefined>;
  /**
   * Returns the contracts with storage that a transaction reads or writes (eth_createAccessList). Undefined when the
   * node does not support it.
   */
  touched(
    call: Pick<Rehearsal, "from" | "to" | "value" | "data">,
    at: bigint,
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined>;
}

/** The configured chains. */
export interface EvmNodes {
  find(chainId: string): EvmNode | undefined;
}

/** No node of a chain gave a usable answer. The message names hosts, never URLs, because URLs hold keys. */
export class NodeUnavailableError extends AppError {
  readonly code = "NODE_UNAVAILABLE";
  readonly retryable = true;
}
