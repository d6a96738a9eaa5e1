import type { ContractType } from "../../../chains/tron/message/contract-types.ts";

/**
 * Operations that take value out of an account, or lend it, whoever signs them: what is sent, paid, staked for others,
 * burnt as a fee of thousands of TRX, or put where another's contract has it.
 */
export const movesAssets: ReadonlySet<ContractType> = new Set<ContractType>([
  "TransferContract",
  "TransferAssetContract",
  "WitnessCreateContract",
  "AssetIssueContract",
  "ParticipateAssetIssueContract",
  "FreezeBalanceContract",
  "CreateSmartContract",
  "TriggerSmartContract",
  "ExchangeCreateContract",
  "ExchangeInjectContract",
  "ExchangeTransactionContract",
  "ShieldedTransferContract",
  "MarketSellAssetContract",
  "DelegateResourceContract",
]);

/** The operation by which whoever may do it takes everything. */
export const CHANGES_PERMISSIONS: ContractType = "AccountPermissionUpdateContract";
