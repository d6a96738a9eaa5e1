import { ALL_SIMULATED, type SolanaEmulateResponse } from "../../api/schemas/solana-emulate.ts";
import {
  errorText,
  type TransactionError,
  type TransactionErrorName,
} from "../../chains/solana/message/transaction-error.ts";

type ExecSummary = SolanaEmulateResponse["data"]["exec_summary"];

/** Every value of `result_code` with its description. The interface names only the first value. */
export const resultCodes = {
  simulated: { code: ALL_SIMULATED, description: "every transaction simulated normally" },
  refused: { code: "000000001", description: "a transaction was refused before its first instruction ran" },
  failed: { code: "000000002", description: "an instruction of a transaction failed" },
  accountUnknown: {
    code: "000000003",
    description: "an account, a program or a lookup table of a transaction is not on the chain as it was simulated",
  },
} as const;

const accountErrors: ReadonlySet<string> = new Set<TransactionErrorName>([
  "AccountNotFound",
  "ProgramAccountNotFound",
  "InvalidProgramForExecution",
  "AddressLookupTableNotFound",
  "InvalidAddressLookupTableOwner",
  "InvalidAddressLookupTableData",
  "InvalidAddressLookupTableIndex",
]);

/** The summary of all transactions. When several transactions fail, it describes the first failure. */
export function execSummary(errors: readonly (TransactionError | undefined)[]): ExecSummary {
  const at = errors.findIndex((error) => error !== undefined);
  const error = errors[at];
  const { code, description } = resultCodes[kindOf(error)];
  return {
    result_code: code,
    result_description: description,
    error_data: error === undefined ? null : `transaction ${at}: ${errorText(error)}`,
  };
}

function kindOf(error: TransactionError | undefined): keyof typeof resultCodes {
  if (error === undefined) return "simulated";
  if (error.kind === "instruction") return "failed";
  return accountErrors.has(error.name) ? "accountUnknown" : "refused";
}
