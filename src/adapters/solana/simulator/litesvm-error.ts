import type { FailedTransactionMetadata } from "litesvm/dist/internal.js";
import {
  instructionErrors,
  type TransactionError,
  transactionErrors,
} from "../../../chains/solana/message/transaction-error.ts";

type Raw = ReturnType<FailedTransactionMetadata["err"]>;

/**
 * LiteSVM's error by its name. An error without fields is a bare number in LiteSVM, and LiteSVM's own table of names is
 * missing at run time.
 */
export function errorOf(raw: Raw): TransactionError {
  if (typeof raw === "number") return { kind: "transaction", name: transactionErrors[raw] ?? "UnknownError" };
  if ("err" in raw) return instructionError(raw.index, raw.err());
  if ("accountIndex" in raw) {
    const isRent = raw.constructor.name === "TransactionErrorInsufficientFundsForRent";
    const name = isRent ? "InsufficientFundsForRent" : "ProgramExecutionTemporarilyRestricted";
    return { kind: "transaction", name, index: raw.accountIndex };
  }
  return { kind: "transaction", name: "DuplicateInstruction", index: raw.index };
}

type RawInstruction = ReturnType<Extract<Raw, { err(): unknown }>["err"]>;

function instructionError(index: number, raw: RawInstruction): TransactionError {
  if (typeof raw === "number") return { kind: "instruction", index, name: instructionErrors[raw] ?? "UnknownError" };
  if ("code" in raw) return { kind: "instruction", index, name: "Custom", code: raw.code };
  return { kind: "instruction", index, name: "BorshIoError" };
}
