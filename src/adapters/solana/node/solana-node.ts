import {
  type Address,
  type Base64EncodedWireTransaction,
  createSolanaRpcFromTransport,
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
} from "@solana/kit";
import type { AccountState } from "../../../chains/solana/accounts/account-state.ts";
import { AppError, toError } from "../../../kernel/errors.ts";
import { UnavailableError } from "../../../worker/answers/service-errors.ts";
import { field, readAccountJson, unreadable, wholeNumber } from "./account-json.ts";
import { rpcTransport, type SolanaNodesOptions } from "./rpc-transport.ts";

export type Commitment = "processed" | "confirmed" | "finalized";

/** Most keys of one getMultipleAccounts. Source: Agave, MAX_MULTIPLE_ACCOUNTS. */
export const MAX_KEYS = 100;

/** Accounts at one slot; undefined for an account that does not exist. */
export interface AccountsAtSlot {
  readonly slot: number;
  readonly accounts: ReadonlyMap<string, AccountState | undefined>;
}

/** The answer of simulateTransaction, with its parts as the node wrote them. */
export interface NodeAnswer {
  readonly slot: number;
  readonly value: unknown;
}

/** The node refused the transaction itself. The message is the node's own. */
export class RefusedByNodeError extends AppError {
  readonly code = "REJECTED";
  readonly retryable = false;
}

/** The two requests that a simulation sends to nodes, through kit. Every method throws UnavailableError. */
export class SolanaNode {
  readonly #rpc: ReturnType<typeof createSolanaRpcFromTransport<ReturnType<typeof rpcTransport>>>;
  readonly #commitment: Commitment;

  constructor(nodes: SolanaNodesOptions, commitment: Commitment) {
    this.#rpc = createSolanaRpcFromTransport(rpcTransport(nodes));
    this.#commitment = commitment;
  }

  /**
   * At most `MAX_KEYS` accounts, all at one slot that is not older than `minSlot`. With `firstBytes`, an account's data
   * is cut to these bytes, and its real size is in `sizes`.
   */
  async accounts(
    addresses: readonly string[],
    minSlot: number,
    signal: AbortSignal,
    firstBytes?: number,
  ): Promise<AccountsAtSlot & { readonly sizes: ReadonlyMap<string, number> }> {
    const request = this.#rpc.getMultipleAccounts(addresses as readonly Address[], {
      encoding: "base64",
      commitment: this.#commitment,
      minContextSlot: BigInt(minSlot),
      ...(firstBytes === undefined ? {} : { dataSlice: { offset: 0, length: firstBytes } }),
    });
    const answer: unknown = await this.#sent(signal, () => request.send({ abortSignal: signal }));
    const value = field(answer, "value");
    if (!Array.isArray(value) || value.length !== addresses.length) throw unreadable("accounts");
    const sizes = new Map(addresses.map((address, i) => [address, Number(field(value[i], "space") ?? 0)]));
    const accounts = new Map(addresses.map((address, i) => [address, readAccountJson(value[i])]));
    return { slot: slotOf(answer), accounts, sizes };
  }

  /**
   * Runs a transaction without a check of its signatures, with a recent blockhash in place of its own. `shown`: the
   * accounts to return after the run, at most as many as the transaction has.
   *
   * @throws {RefusedByNodeError} when the node does not run the transaction at all.
   */
  async simulate(
    wire: Uint8Array,
    shown: readonly string[],
    minSlot: number,
    signal: AbortSignal,
  ): Promise<NodeAnswer> {
    const text = Buffer.from(wire).toString("base64") as Base64EncodedWireTransaction;
    const request = this.#rpc.simulateTransaction(text, {
      encoding: "base64",
      commitment: this.#commitment,
      sigVerify: false,
      replaceRecentBlockhash: true,
      innerInstructions: true,
      minContextSlot: BigInt(minSlot),
      accounts: { addresses: shown as readonly Address[], encoding: "base64" },
    });
    const answer: unknown = await this.#sent(signal, () => request.send({ abortSignal: signal }));
    return { slot: slotOf(answer), value: field(answer, "value") };
  }

  async #sent(signal: AbortSignal, send: () => Promise<unknown>): Promise<unknown> {
    try {
      return await send();
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof AppError) throw thrown;
      if (isSolanaError(thrown, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS)) {
        throw new RefusedByNodeError(String(field(thrown.context, "__serverMessage") ?? ""), {}, { cause: thrown });
      }
      throw new UnavailableError("the node's answer does not read", {}, { cause: toError(thrown) });
    }
  }
}

function slotOf(answer: unknown): number {
  const slot = wholeNumber(field(field(answer, "context"), "slot"));
  if (slot === undefined) throw unreadable("the slot");
  return Number(slot);
}
