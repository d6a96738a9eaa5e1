import type { CanonicalAddress } from "../../../chains/address.ts";
import type { ContractType } from "../../../chains/tron/message/contract-types.ts";
import type { Key } from "../permissions/permission.ts";

/** Maximum number of keys that a text names. Nodes allow five keys, but a request may hold thousands. */
const MAX_KEYS = 5;

/** Keys with their weights, for the user: `TAb... (weight 1), TCd... (weight 2)`. */
export function keysText(keys: readonly Key[]): string {
  const texts = keys.slice(0, MAX_KEYS).map(({ address, weight }) => `${address} (weight ${weight})`);
  const rest = keys.length - texts.length;
  return rest > 0 ? `${texts.join(", ")} and ${rest} more` : texts.join(", ");
}

/** The keys of the given addresses, each once, with its total weight. */
export function weighed(keys: readonly Key[], people: readonly CanonicalAddress[]): readonly Key[] {
  const weights = new Map<CanonicalAddress, bigint>();
  for (const { address, weight } of keys) weights.set(address, (weights.get(address) ?? 0n) + weight);
  return people.map((address) => ({ address, weight: weights.get(address) ?? 0n }));
}

/** Operations by the names that users know: `Transfer, TriggerSmart`. */
export function operationsText(types: readonly ContractType[]): string {
  return types.map((type) => type.replace(/Contract$/, "")).join(", ");
}

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
