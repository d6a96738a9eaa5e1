import type { ContractType } from "../../../chains/tron/message/contract-types.ts";

/**
 * Operations that take or lend value of the account, for whichever key signs them. They send, pay, or stake for others.
 * They burn fees of thousands of TRX, or put value into another account's contract.
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

/** The operation by which a key can take the whole account. */
export const CHANGES_PERMISSIONS: ContractType = "AccountPermissionUpdateContract";
