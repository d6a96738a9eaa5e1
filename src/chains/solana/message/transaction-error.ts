/** Errors of a whole transaction, in the order of their numbers. Source: Solana, TransactionError. */
export const transactionErrors = [
  "AccountInUse",
  "AccountLoadedTwice",
  "AccountNotFound",
  "ProgramAccountNotFound",
  "InsufficientFundsForFee",
  "InvalidAccountForFee",
  "AlreadyProcessed",
  "BlockhashNotFound",
  "CallChainTooDeep",
  "MissingSignatureForFee",
  "InvalidAccountIndex",
  "SignatureFailure",
  "InvalidProgramForExecution",
  "SanitizeFailure",
  "ClusterMaintenance",
  "AccountBorrowOutstanding",
  "WouldExceedMaxBlockCostLimit",
  "UnsupportedVersion",
  "InvalidWritableAccount",
  "WouldExceedMaxAccountCostLimit",
  "WouldExceedAccountDataBlockLimit",
  "TooManyAccountLocks",
  "AddressLookupTableNotFound",
  "InvalidAddressLookupTableOwner",
  "InvalidAddressLookupTableData",
  "InvalidAddressLookupTableIndex",
  "InvalidRentPayingAccount",
  "WouldExceedMaxVoteCostLimit",
  "WouldExceedAccountDataTotalLimit",
  "MaxLoadedAccountsDataSizeExceeded",
  "ResanitizationNeeded",
  "InvalidLoadedAccountsDataSizeLimit",
  "UnbalancedTransaction",
  "ProgramCacheHitMaxLimit",
  "CommitCancelled",
] as const;
/** Further errors, which name an account or an instruction. */
export const indexedTransactionErrors = [
  "DuplicateInstruction",
  "InsufficientFundsForRent",
  "ProgramExecutionTemporarilyRestricted",
] as const;
export type TransactionErrorName = (typeof transactionErrors)[number] | (typeof indexedTransactionErrors)[number];

/** Errors of one instruction, in the order of their numbers. Source: Solana, InstructionError. */
export const instructionErrors = [
  "GenericError",
  "InvalidArgument",
  "InvalidInstructionData",
  "InvalidAccountData",
  "AccountDataTooSmall",
  "InsufficientFunds",
  "IncorrectProgramId",
  "MissingRequiredSignature",
  "AccountAlreadyInitialized",
  "UninitializedAccount",
  "UnbalancedInstruction",
  "ModifiedProgramId",
  "ExternalAccountLamportSpend",
  "ExternalAccountDataModified",
  "ReadonlyLamportChange",
  "ReadonlyDataModified",
  "DuplicateAccountIndex",
  "ExecutableModified",
  "RentEpochModified",
  "NotEnoughAccountKeys",
  "AccountDataSizeChanged",
  "AccountNotExecutable",
  "AccountBorrowFailed",
  "AccountBorrowOutstanding",
  "DuplicateAccountOutOfSync",
  "InvalidError",
  "ExecutableDataModified",
  "ExecutableLamportChange",
  "ExecutableAccountNotRentExempt",
  "UnsupportedProgramId",
  "CallDepth",
  "MissingAccount",
  "ReentrancyNotAllowed",
  "MaxSeedLengthExceeded",
  "InvalidSeeds",
  "InvalidRealloc",
  "ComputationalBudgetExceeded",
  "PrivilegeEscalation",
  "ProgramEnvironmentSetupFailure",
  "ProgramFailedToComplete",
  "ProgramFailedToCompile",
  "Immutable",
  "IncorrectAuthority",
  "AccountNotRentExempt",
  "InvalidAccountOwner",
  "ArithmeticOverflow",
  "UnsupportedSysvar",
  "IllegalOwner",
  "MaxAccountsDataAllocationsExceeded",
  "MaxAccountsExceeded",
  "MaxInstructionTraceLengthExceeded",
  "BuiltinProgramsMustConsumeComputeUnits",
  "BorshIoError",
] as const;
export type InstructionErrorName = (typeof instructionErrors)[number];

/** The reason why a transaction failed. `UnknownError` stands for an error that is missing in Weir's tables. */
export type TransactionError =
  | { readonly kind: "transaction"; readonly name: TransactionErrorName | "UnknownError"; readonly index?: number }
  | { readonly kind: "instruction"; readonly index: number; readonly name: InstructionErrorName | "UnknownError" }
  | { readonly kind: "instruction"; readonly index: number; readonly name: "Custom"; readonly code: number };

/**
 * The error in the format of the runtime: `AccountNotFound`, `InsufficientFundsForRent(1)`, `InstructionError(0,
 * Custom(1))`.
 */
export function errorText(error: TransactionError): string {
  if (error.kind === "transaction") return error.index === undefined ? error.name : `${error.name}(${error.index})`;
  const what = error.name === "Custom" ? `Custom(${error.code})` : error.name;
  return `InstructionError(${error.index}, ${what})`;
}
