import type { RequestListener } from "node:http";
import {
  type Address,
  type CompiledTransactionMessage,
  getAddressDecoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  lamports,
} from "@solana/kit";
import { getTokenDecoder } from "@solana-program/token";
import { Clock, FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from "litesvm";
import type { AccountState } from "../../../src/chains/solana/accounts/account-state.ts";
import { stringifyWithBigInts } from "../../../src/kernel/json.ts";
import { answering } from "../../support/http-server.ts";
import { parsedInner } from "./parsed-inner.ts";

export interface RpcNodeOptions {
  readonly accounts: ReadonlyMap<string, AccountState>;
  readonly slot: number;
  readonly unixTimestamp: number;
  /** Called before each answer, with the method's name: the chain may advance, or the node may fail. */
  readonly onCall?: (method: string, node: RpcNode) => object | undefined;
}

type Json = Record<string, unknown>;

/** A JSON-RPC error. */
class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The part of a Solana node that simulations use, over the same runtime. Its answers have the form in Agave's
 * documentation. It shares no code with the tested code.
 */
export class RpcNode {
  readonly #options: RpcNodeOptions;
  readonly #svm: LiteSVM;
  readonly calls: { readonly method: string; readonly params: readonly unknown[] }[] = [];
  /** Whether it reports the balances before a run, as newer nodes do. Older nodes report null. */
  tellsBalances = false;
  /** Older nodes ignore the request for inner instructions. */
  tellsInner = true;
  #slot: number;

  constructor(options: RpcNodeOptions) {
    this.#options = options;
    this.#slot = options.slot;
    this.#svm = new LiteSVM()
      .withSigverify(false)
      .withBlockhashCheck(false)
      .withTransactionHistory(0n)
      .withLogBytesLimit()
      .withNativeMints();
    const programsLast = [...options.accounts].sort(([, a], [, b]) => Number(a.executable) - Number(b.executable));
    for (const [address, account] of programsLast) this.set(address, account);
    this.goOn(0);
  }

  /** Advances the chain by `slots`. */
  goOn(slots = 1): void {
    this.#slot += slots;
    const epoch = BigInt(this.#slot) / 432_000n;
    const time = BigInt(this.#options.unixTimestamp);
    this.#svm.setClock(new Clock(BigInt(this.#slot), 0n, epoch, epoch + 1n, time));
  }

  set(address: string, account: AccountState | undefined): void {
    const none = { lamports: 0n, owner: "11111111111111111111111111111111", executable: false, data: new Uint8Array() };
    const { owner, data, ...rest } = account ?? none;
    this.#svm.setAccount({
      address: address as Address,
      lamports: lamports(rest.lamports),
      programAddress: owner as Address,
      executable: rest.executable,
      data,
      space: BigInt(data.length),
    });
  }

  /** An account in the form of an answer. */
  account(address: string): unknown {
    return this.#accountJson(address);
  }

  get listener(): RequestListener {
    return answering(({ body }, response) => {
      const { id, method, params } = JSON.parse(body);
      this.calls.push({ method, params });
      const content = { "content-type": "application/json" };
      const instead = this.#options.onCall?.(method, this);
      if (instead !== undefined) {
        response.writeHead(200, content).end(stringifyWithBigInts({ jsonrpc: "2.0", id, ...instead }));
        return;
      }
      response
        .writeHead(200, content)
        .end(stringifyWithBigInts({ jsonrpc: "2.0", id, ...this.#answer(method, params) }));
    });
  }

  #answer(method: string, [first, config = {}]: readonly [unknown, Json?]): object {
    try {
      const value =
        method === "getMultipleAccounts"
          ? this.#getMultipleAccounts(first as readonly string[], config)
          : this.#simulateTransaction(String(first), config);
      return { result: { context: { apiVersion: "3.0.0", slot: this.#slot }, value } };
    } catch (thrown) {
      if (thrown instanceof RpcError) return { error: { code: thrown.code, message: thrown.message } };
      throw thrown;
    }
  }

  #getMultipleAccounts(keys: readonly string[], { encoding, dataSlice, minContextSlot = 0 }: Json): readonly unknown[] {
    if (keys.length > 100) throw new RpcError(-32602, "Too many inputs provided; max 100");
    if (encoding !== "base64") throw new RpcError(-32602, "this node answers in base64");
    this.#checkSlot(Number(minContextSlot));
    return keys.map((key) => this.#accountJson(key, dataSlice as { offset: number; length: number } | undefined));
  }

  #checkSlot(minContextSlot: number): void {
    if (this.#slot < minContextSlot) throw new RpcError(-32016, "Minimum context slot has not been reached");
  }

  #accountJson(key: string, slice?: { readonly offset: number; readonly length: number }): unknown {
    const account = this.#svm.getAccount(key as Address);
    if (!account.exists) return null;
    const data = Buffer.from(account.data);
    const shown = slice === undefined ? data : data.subarray(slice.offset, slice.offset + slice.length);
    return {
      data: [shown.toString("base64"), "base64"],
      executable: account.executable,
      lamports: account.lamports,
      owner: account.programAddress,
      rentEpoch: 18_446_744_073_709_551_615n,
      space: data.length,
    };
  }

  #simulateTransaction(wire: string, config: Json): object {
    const { encoding, sigVerify, replaceRecentBlockhash, innerInstructions, minContextSlot = 0 } = config;
    if (encoding !== "base64" || sigVerify !== false || replaceRecentBlockhash !== true || innerInstructions !== true)
      throw new RpcError(-32602, "this node is asked in another way");
    this.#checkSlot(Number(minContextSlot));
    const transaction = getTransactionDecoder().decode(Buffer.from(wire, "base64"));
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
    const keys = this.#keysOf(message);
    const { addresses } = config["accounts"] as { addresses: readonly string[] };
    if (addresses.length > keys.length) throw new RpcError(-32602, `Too many accounts provided; max ${keys.length}`);
    const before = keys.map((key) => this.#svm.getAccount(key as Address));
    const result = this.#svm.simulateTransaction(transaction);
    const failed = result instanceof FailedTransactionMetadata;
    const err = failed ? this.#errorOf(errorJson(String(result)), message, keys) : null;
    const refusal = isTooLong(message) ? refusals["SanitizeFailure"] : refusalOf(err, message);
    if (refusal !== undefined) throw new RpcError(-32602, `invalid transaction: ${refusal}`);
    const after = new Map(failed ? [] : result.postAccounts().map((account) => [String(account.address), account]));
    const meta = result.meta();
    const told = this.tellsBalances;
    return {
      err,
      logs: meta.logs(),
      unitsConsumed: meta.computeUnitsConsumed(),
      accounts: addresses.map((address) => {
        const account = after.get(address);
        if (failed) return null;
        if (account === undefined) return this.#accountJson(address);
        const { data, executable, lamports: held, programAddress: owner } = account;
        const space = data.length;
        return { data: [Buffer.from(data).toString("base64"), "base64"], executable, lamports: held, owner, space };
      }),
      innerInstructions: this.tellsInner ? innerOf(meta, keys) : null,
      replacementBlockhash: { blockhash: "11111111111111111111111111111111", lastValidBlockHeight: 1 },
      preBalances: told ? before.map((account) => (account.exists ? account.lamports : 0)) : null,
      preTokenBalances: told ? before.flatMap((account, place) => tokenBalance(account, place)) : null,
    };
  }

  /** The runtime alone has no separate error for a missing program. Source: Agave, svm, account_loader.rs. */
  #errorOf(err: unknown, message: CompiledTransactionMessage, keys: readonly string[]): unknown {
    if (err !== "InvalidProgramForExecution" || !("instructions" in message)) return err;
    const programs = message.instructions.map(({ programAddressIndex }) => keys[programAddressIndex] ?? "");
    const first = programs
      .map((key) => this.#svm.getAccount(key as Address))
      .find((each) => !each.exists || !each.executable);
    return first?.exists === false ? "ProgramAccountNotFound" : err;
  }

  #keysOf(message: CompiledTransactionMessage): string[] {
    const lookups = "addressTableLookups" in message ? (message.addressTableLookups ?? []) : [];
    const at = (table: Address, places: readonly number[]) => {
      const account = this.#svm.getAccount(table);
      const data = account.exists ? account.data : new Uint8Array();
      return places.flatMap((place) => {
        const key = data.subarray(56 + place * 32, 88 + place * 32);
        return key.length === 32 ? [getAddressDecoder().decode(key)] : [];
      });
    };
    return [
      ...message.staticAccounts,
      ...lookups.flatMap(({ lookupTableAddress, writableIndexes }) => at(lookupTableAddress, writableIndexes)),
      ...lookups.flatMap(({ lookupTableAddress, readonlyIndexes }) => at(lookupTableAddress, readonlyIndexes)),
    ];
  }
}

/** Errors that nodes find before a run, and report as invalid params. Source: Solana, TransactionError's messages. */
const refusals: Readonly<Record<string, string>> = {
  SanitizeFailure: "Transaction failed to sanitize accounts offsets correctly",
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
  InvalidAddressLookupTableOwner: "Transaction loads an address table account with an invalid owner",
  InvalidAddressLookupTableData: "Transaction loads an address table account with invalid data",
  InvalidAddressLookupTableIndex: "Transaction address table lookup uses an invalid index",
};

/**
 * Nodes check the length first; the runtime alone does not. Source: Agave, RuntimeTransaction::try_create (SIMD-0160,
 * SIMD-0406).
 */
function isTooLong(message: CompiledTransactionMessage): boolean {
  const instructions = "instructions" in message ? message.instructions : [];
  return instructions.length > 64 || instructions.some(({ accountIndices = [] }) => accountIndices.length > 255);
}

/**
 * Errors of a run that nodes report as a refusal: the budget's instructions are read with the message, and their values
 * are checked later. Source: Agave, ComputeBudgetInstructionDetails::try_from.
 */
function refusalOf(err: unknown, message: CompiledTransactionMessage): string | undefined {
  if (typeof err === "string") return refusals[err];
  const { DuplicateInstruction: twice, InstructionError: failed } = (err ?? {}) as Json;
  if (twice !== undefined) return `Transaction contains a duplicate instruction (${twice}) that is not allowed`;
  const [index, what]: readonly unknown[] = Array.isArray(failed) ? failed : [];
  const { programAddressIndex, data = new Uint8Array() } =
    ("instructions" in message ? message.instructions[Number(index)] : undefined) ?? {};
  const isBudget = message.staticAccounts[programAddressIndex ?? 0] === "ComputeBudget111111111111111111111111111111";
  const bytes = { 1: 5, 2: 5, 3: 9, 4: 5 }[data[0] ?? 0] ?? Number.POSITIVE_INFINITY;
  if (!isBudget || what !== "InvalidInstructionData" || data.length >= bytes) return undefined;
  return `Error processing Instruction ${index}: invalid instruction data`;
}

/** The error in the form of serde, from the text that Rust prints. */
function errorJson(text: string): unknown {
  const [, inner, what = ""] = /err: InstructionError\((\d+), (\w+(?:\(\d+\))?)\)/.exec(text) ?? [];
  if (inner !== undefined) {
    const [, name = what, code] = /^(\w+)\((\d+)\)$/.exec(what) ?? [];
    return { InstructionError: [Number(inner), code === undefined ? name : { [name]: Number(code) }] };
  }
  const [, indexed, index] = /err: (\w+) \{ account_index: (\d+) \}/.exec(text) ?? [];
  if (indexed !== undefined) return { [indexed]: { account_index: Number(index) } };
  const [, plain = "", number] = /err: (\w+)(?:\((\d+)\))?/.exec(text) ?? [];
  return number === undefined ? plain : { [plain]: Number(number) };
}

function innerOf(meta: TransactionMetadata, keys: readonly string[]): readonly object[] {
  return meta.innerInstructions().flatMap((group, index) => {
    const instructions = group.map((each) => {
      const instruction = each.instruction();
      return parsedInner(
        keys[instruction.programIdIndex()] ?? "",
        [...instruction.accounts()].map((place) => keys[place] ?? ""),
        instruction.data(),
      );
    });
    return instructions.length === 0 ? [] : [{ index, instructions }];
  });
}

function tokenBalance(account: ReturnType<LiteSVM["getAccount"]>, accountIndex: number): object[] {
  if (!account.exists || !account.programAddress.startsWith("Token") || account.data.length < 165) return [];
  if (account.data.length > 165 && account.data[165] !== 2) return [];
  const { mint, owner, amount } = getTokenDecoder().decode(account.data.subarray(0, 165));
  return [{ accountIndex, mint, owner, programId: account.programAddress, uiTokenAmount: { amount: String(amount) } }];
}
