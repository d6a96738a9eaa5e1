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

/** Accounts as of one slot; undefined for one that does not exist. */
export interface AccountsAtSlot {
  readonly slot: number;
  readonly accounts: ReadonlyMap<string, AccountState | undefined>;
}

/** What simulateTransaction said, its parts as the node wrote them. */
export interface NodeAnswer {
  readonly slot: number;
  readonly value: unknown;
}

/** The node refused the transaction itself, in its own words. */
export class RefusedByNodeError extends AppError {
  readonly code = "REJECTED";
  readonly retryable = false;
}

/** The two questions that a simulation asks of nodes, through kit. Every method throws UnavailableError. */
export class SolanaNode {
  readonly #rpc: ReturnType<typeof createSolanaRpcFromTransport<ReturnType<typeof rpcTransport>>>;
  readonly #commitment: Commitment;

  constructor(nodes: SolanaNodesOptions, commitment: Commitment) {
    this.#rpc = createSolanaRpcFromTransport(rpcTransport(nodes));
    this.#commitment = commitment;
  }

  /**
   * At most `MAX_KEYS` accounts at once, as of one slot that is not older than `minSlot`. With `firstBytes`, of each
   * account's data only those; its real size is in `sizes`.
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
   * Runs a transaction without a look at its signatures and with a recent blockhash in place of its own. `shown`: the
   * accounts to show afterwards, at most as many as the transaction has.
   *
   * @throws {RefusedByNodeError} when the node does not run it at all.
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
