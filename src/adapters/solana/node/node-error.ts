import {
  indexedTransactionErrors,
  instructionErrors,
  type TransactionError,
  type TransactionErrorName,
  transactionErrors,
} from "../../../chains/solana/message/transaction-error.ts";
import { field, unreadable, wholeNumber } from "./account-json.ts";

/**
 * A node's `err`: null, a name, or an object with the name as its one key. An unknown name is still an error. Source:
 * Solana, TransactionError and InstructionError, as serde writes them.
 */
export function readTransactionError(json: unknown): TransactionError | undefined {
  if (json === null || json === undefined) return undefined;
  if (typeof json === "string") return { kind: "transaction", name: known(transactionErrors, json) };
  const [entry] = typeof json === "object" ? Object.entries(json) : [];
  if (entry === undefined) throw unreadable("an error");
  const [name, value]: readonly [string, unknown] = entry;
  if (name === "InstructionError") return readInstructionError(value);
  const index = wholeNumber(value) ?? wholeNumber(field(value, "account_index"));
  const kind = "transaction";
  const knownName = known(indexedTransactionErrors, name);
  return index === undefined ? { kind, name: knownName } : { kind, name: knownName, index: Number(index) };
}

function readInstructionError(json: unknown): TransactionError {
  const [place, what]: readonly unknown[] = Array.isArray(json) ? json : [];
  const index = Number(wholeNumber(place) ?? Number.NaN);
  if (Number.isNaN(index)) throw unreadable("an instruction's error");
  if (typeof what === "string") return { kind: "instruction", index, name: known(instructionErrors, what) };
  const code = wholeNumber(field(what, "Custom"));
  if (code !== undefined) return { kind: "instruction", index, name: "Custom", code: Number(code) };
  // Older nodes add a text to BorshIoError.
  const name = field(what, "BorshIoError") === undefined ? "UnknownError" : "BorshIoError";
  return { kind: "instruction", index, name };
}

function known<T extends string>(names: readonly T[], name: string): T | "UnknownError" {
  return names.find((each) => each === name) ?? "UnknownError";
}

/** Messages of a node for a transaction that it does not run at all. Source: Solana, TransactionError's messages. */
const refusals = new Map<string, TransactionErrorName>([
  ["Transaction failed to sanitize accounts offsets correctly", "SanitizeFailure"],
  ["Transaction locked too many accounts", "TooManyAccountLocks"],
  ["Transaction version is unsupported", "UnsupportedVersion"],
  ["Transaction loads an address table account that doesn't exist", "AddressLookupTableNotFound"],
  ["Transaction loads an address table account with an invalid owner", "InvalidAddressLookupTableOwner"],
  ["Transaction loads an address table account with invalid data", "InvalidAddressLookupTableData"],
  ["Transaction address table lookup uses an invalid index", "InvalidAddressLookupTableIndex"],
]);

/** The error in a refusal that begins with "invalid transaction"; undefined for any other refusal. */
export function errorOfRefusal(message: string): TransactionError | undefined {
  const [, said] = /^invalid transaction: (.*)$/.exec(message) ?? [];
  if (said === undefined) return undefined;
  const name = refusals.get(said);
  return name === undefined ? errorOfBudget(said) : { kind: "transaction", name };
}

/**
 * Compute-budget instructions are read before the transaction runs. A node refuses an invalid or repeated one. Source:
 * Agave, ComputeBudgetInstructionDetails.
 */
function errorOfBudget(said: string): TransactionError | undefined {
  const [, again] = /^Transaction contains a duplicate instruction \((\d+)\) that is not allowed$/.exec(said) ?? [];
  if (again !== undefined) return { kind: "transaction", name: "DuplicateInstruction", index: Number(again) };
  const [, failed] = /^Error processing Instruction (\d+): invalid instruction data$/.exec(said) ?? [];
  return failed === undefined
    ? undefined
    : { kind: "instruction", index: Number(failed), name: "InvalidInstructionData" };
}
