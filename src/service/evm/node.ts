import { AppError } from "../../kernel/errors.ts";

/** Something a chain keeps about an address. `slot` is a storage key: 0x and 64 hex digits. */
export type StateRead =
  | { readonly of: "code" | "balance" | "nonce"; readonly address: string }
  | { readonly of: "storage"; readonly address: string; readonly slot: string };

/** A call that changes nothing. Addresses are canonical; `data` is 0x and hex. */
export interface ViewCall {
  readonly to: string;
  readonly data: string;
}

/** What a call finds at an address in place of what the chain keeps there. Code, keys and words are 0x and hex. */
export interface StateOverride {
  readonly address: string;
  readonly code?: string;
  readonly balance?: bigint;
  /** Words of storage by their keys; the others stay as they are. */
  readonly words?: Readonly<Record<string, string>>;
}

/** A call on state that was changed for it alone. */
export interface Experiment extends ViewCall {
  readonly from: string;
  /** At a price for its gas, as the chain asks it now, which the sender needs coins for: code can tell a call without. */
  readonly pays?: true;
  readonly overrides: readonly StateOverride[];
}

/** What a call returned; `ok` false when the called code failed, for whatever reason. */
export type CallResult = { readonly ok: true; readonly data: Uint8Array } | { readonly ok: false };

/** A transaction that is run without being sent, and what is looked at before and after it. */
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

/** Calls in one block, which is so much younger than the wall clock. */
export interface LaterBlock {
  /** Undefined: the next block, at its own time. */
  readonly timeSec: bigint | undefined;
  /** Blocks after the one before it. */
  readonly blocks: bigint;
  readonly calls: readonly (ViewCall & { readonly from: string; readonly gas: bigint })[];
}

/** What a contract wrote down. `topics` and `data` are lower-case hex digits. */
export interface EvmEventLog {
  readonly contract: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** Native coins that moved, wei. */
export interface CoinMove {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

/** How a transaction ended. `returned` is the beginning of what a failed one said, bytes. */
export type TransactionEnding = { readonly ok: true } | { readonly ok: false; readonly returned: Uint8Array };

/** What a rehearsal showed. `before` and `after` hold one result a view. */
export interface Rehearsed {
  readonly ending: TransactionEnding;
  readonly before: readonly CallResult[];
  readonly after: readonly CallResult[];
  readonly logs: readonly EvmEventLog[];
  readonly coins: readonly CoinMove[];
}

/** One EVM chain, as its nodes tell it. Every method throws {NodeUnavailableError} when none of them can be believed. */
export interface EvmNode {
  /** Canonical id, decimal. */
  readonly chainId: string;
  /** The number of the newest block that is known, at most a second old. */
  head(signal: AbortSignal): Promise<bigint>;
  /** State after block `at`, one answer a read: of `code` its bytes, of the others a word of 32 bytes. */
  read(reads: readonly StateRead[], at: bigint, signal: AbortSignal): Promise<readonly Uint8Array[]>;
  /** Calls on the state after block `at`, none of which sees another's doing: one result a call. */
  call(calls: readonly ViewCall[], at: bigint, signal: AbortSignal): Promise<readonly CallResult[]>;
  /** The same on changed state, with gas for some transfers and trades. Not kept: each is asked once. */
  experiment(experiments: readonly Experiment[], at: bigint, signal: AbortSignal): Promise<readonly CallResult[]>;
  /**
   * Calls in blocks to come, each on what the calls before it left (eth_simulateV1), at a price for their gas: the first
   * word of each result, by block and call. Undefined when the node does not do that.
   */
  follow(
    blocks: readonly LaterBlock[],
    overrides: readonly StateOverride[],
    at: bigint,
    signal: AbortSignal,
  ): Promise<readonly (readonly CallResult[])[] | undefined>;
  /**
   * Runs a transaction on the state after block `at` (eth_simulateV1). `too_poor` when the sender cannot pay what it
   * sends; undefined when the node does not simulate, or shows no moves of coins.
   */
  rehearse(rehearsal: Rehearsal, at: bigint, signal: AbortSignal): Promise<Rehearsed | "too_poor" | undefined>;
  /** Contracts whose storage a transaction reads or writes (eth_createAccessList); undefined when the node does not tell. */
  touched(
    call: Pick<Rehearsal, "from" | "to" | "value" | "data">,
    at: bigint,
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined>;
}

/** The chains that are configured. */
export interface EvmNodes {
  find(chainId: string): EvmNode | undefined;
}

/** No node of a chain gave an answer that can be used. The message names hosts, never URLs: those hold keys. */
export class NodeUnavailableError extends AppError {
  readonly code = "NODE_UNAVAILABLE";
  readonly retryable = true;
}
