/**
 * Every contract type of TRON's protocol with its id. The id is also the type's bit in the `operations` of a
 * permission. Ids from 54 up are numbered as java-tron numbers them. Source: tronprotocol/protocol, core/Tron.proto,
 * Transaction.Contract.ContractType.
 */
export const contractTypeIds = {
  AccountCreateContract: 0,
  TransferContract: 1,
  TransferAssetContract: 2,
  VoteAssetContract: 3,
  VoteWitnessContract: 4,
  WitnessCreateContract: 5,
  AssetIssueContract: 6,
  WitnessUpdateContract: 8,
  ParticipateAssetIssueContract: 9,
  AccountUpdateContract: 10,
  FreezeBalanceContract: 11,
  UnfreezeBalanceContract: 12,
  WithdrawBalanceContract: 13,
  UnfreezeAssetContract: 14,
  UpdateAssetContract: 15,
  ProposalCreateContract: 16,
  ProposalApproveContract: 17,
  ProposalDeleteContract: 18,
  SetAccountIdContract: 19,
  CustomContract: 20,
  CreateSmartContract: 30,
  TriggerSmartContract: 31,
  GetContract: 32,
  UpdateSettingContract: 33,
  ExchangeCreateContract: 41,
  ExchangeInjectContract: 42,
  ExchangeWithdrawContract: 43,
  ExchangeTransactionContract: 44,
  UpdateEnergyLimitContract: 45,
  AccountPermissionUpdateContract: 46,
  ClearABIContract: 48,
  UpdateBrokerageContract: 49,
  ShieldedTransferContract: 51,
  MarketSellAssetContract: 52,
  MarketCancelOrderContract: 53,
  FreezeBalanceV2Contract: 54,
  UnfreezeBalanceV2Contract: 55,
  WithdrawExpireUnfreezeContract: 56,
  DelegateResourceContract: 57,
  UnDelegateResourceContract: 58,
  CancelAllUnfreezeV2Contract: 59,
} as const satisfies Record<string, number>;

export type ContractType = keyof typeof contractTypeIds;

/**
 * Types of the protocol that cannot be analysed. The protocol defines no payload for the first two, and no node
 * executes them. The third hides sender and recipient in proofs.
 */
const unsupported = ["CustomContract", "GetContract", "ShieldedTransferContract"] as const;
export type UnsupportedType = (typeof unsupported)[number];
export type SupportedType = Exclude<ContractType, UnsupportedType>;

const typeById = new Map<number, ContractType>();
for (const [name, id] of Object.entries(contractTypeIds)) if (isContractType(name)) typeById.set(id, name);

export function isContractType(name: string): name is ContractType {
  return Object.hasOwn(contractTypeIds, name);
}

export function isUnsupportedType(name: ContractType): name is UnsupportedType {
  return unsupported.some((each) => each === name);
}

/** The type with an id. Undefined for reserved and unknown ids. */
export function contractTypeOf(id: number): ContractType | undefined {
  return typeById.get(id);
}
