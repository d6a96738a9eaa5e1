import type { SupportedType } from "./contract-types.ts";
import { type MessageType, many, one } from "./message.ts";

const owner = one(1, "owner_address", "address");

/** Source: core/contract/common.proto. TRON_POWER came with the second kind of freezing. */
const resource = { enum: { BANDWIDTH: 0, ENERGY: 1, TRON_POWER: 2 } } as const;

export const permission: MessageType = [
  one(1, "type", { enum: { Owner: 0, Witness: 1, Active: 2 } }),
  one(2, "id", "int32"),
  one(3, "permission_name", "text"),
  one(4, "threshold", "int64"),
  one(5, "parent_id", "int32"),
  one(6, "operations", "bitmap"),
  many(7, "keys", { message: [one(1, "address", "address"), one(2, "weight", "int64")] }),
];

const abiParameter: MessageType = [one(1, "indexed", "bool"), one(2, "name", "text"), one(3, "type", "text")];
const entryType = { UnknownEntryType: 0, Constructor: 1, Function: 2, Event: 3, Fallback: 4, Receive: 5, Error: 6 };
const mutability = { UnknownMutabilityType: 0, Pure: 1, View: 2, Nonpayable: 3, Payable: 4 };
const abiEntry: MessageType = [
  one(1, "anonymous", "bool"),
  one(2, "constant", "bool"),
  one(3, "name", "text"),
  many(4, "inputs", { message: abiParameter }),
  many(5, "outputs", { message: abiParameter }),
  one(6, "type", { enum: entryType }),
  one(7, "payable", "bool"),
  one(8, "stateMutability", { enum: mutability }),
];

const smartContract: MessageType = [
  one(1, "origin_address", "address"),
  one(2, "contract_address", "address"),
  one(3, "abi", { message: [many(1, "entrys", { message: abiEntry })] }),
  one(4, "bytecode", "bytes"),
  one(5, "call_value", "int64"),
  one(6, "consume_user_resource_percent", "int64"),
  one(7, "name", "text"),
  one(8, "origin_energy_limit", "int64"),
  one(9, "code_hash", "bytes"),
  one(10, "trx_hash", "bytes"),
];

const exchangeMove: MessageType = [
  owner,
  one(2, "exchange_id", "int64"),
  one(3, "token_id", "name"),
  one(4, "quant", "int64"),
];
const ownContract: MessageType = [owner, one(2, "contract_address", "address")];
const proposal: MessageType = [owner, one(2, "proposal_id", "int64")];

/** The fields of `parameter.value` for each type. Source: tronprotocol/protocol, core/contract/*.proto. */
export const contractMessages: Readonly<Record<SupportedType, MessageType>> = {
  AccountCreateContract: [
    owner,
    one(2, "account_address", "address"),
    one(3, "type", { enum: { Normal: 0, AssetIssue: 1, Contract: 2 } }),
  ],
  TransferContract: [owner, one(2, "to_address", "address"), one(3, "amount", "int64")],
  TransferAssetContract: [
    one(1, "asset_name", "name"),
    one(2, "owner_address", "address"),
    one(3, "to_address", "address"),
    one(4, "amount", "int64"),
  ],
  VoteAssetContract: [owner, many(2, "vote_address", "address"), one(3, "support", "bool"), one(5, "count", "int32")],
  VoteWitnessContract: [
    owner,
    many(2, "votes", { message: [one(1, "vote_address", "address"), one(2, "vote_count", "int64")] }),
    one(3, "support", "bool"),
  ],
  WitnessCreateContract: [owner, one(2, "url", "name")],
  AssetIssueContract: [
    owner,
    one(2, "name", "name"),
    one(3, "abbr", "name"),
    one(4, "total_supply", "int64"),
    many(5, "frozen_supply", { message: [one(1, "frozen_amount", "int64"), one(2, "frozen_days", "int64")] }),
    one(6, "trx_num", "int32"),
    one(7, "precision", "int32"),
    one(8, "num", "int32"),
    one(9, "start_time", "int64"),
    one(10, "end_time", "int64"),
    one(11, "order", "int64"),
    one(16, "vote_score", "int32"),
    one(20, "description", "name"),
    one(21, "url", "name"),
    one(22, "free_asset_net_limit", "int64"),
    one(23, "public_free_asset_net_limit", "int64"),
    one(24, "public_free_asset_net_usage", "int64"),
    one(25, "public_latest_free_net_time", "int64"),
    one(41, "id", "text"),
  ],
  WitnessUpdateContract: [owner, one(12, "update_url", "name")],
  ParticipateAssetIssueContract: [
    owner,
    one(2, "to_address", "address"),
    one(3, "asset_name", "name"),
    one(4, "amount", "int64"),
  ],
  AccountUpdateContract: [one(1, "account_name", "name"), one(2, "owner_address", "address")],
  FreezeBalanceContract: [
    owner,
    one(2, "frozen_balance", "int64"),
    one(3, "frozen_duration", "int64"),
    one(10, "resource", resource),
    one(15, "receiver_address", "address"),
  ],
  UnfreezeBalanceContract: [owner, one(10, "resource", resource), one(15, "receiver_address", "address")],
  WithdrawBalanceContract: [owner],
  UnfreezeAssetContract: [owner],
  UpdateAssetContract: [
    owner,
    one(2, "description", "name"),
    one(3, "url", "name"),
    one(4, "new_limit", "int64"),
    one(5, "new_public_limit", "int64"),
  ],
  ProposalCreateContract: [
    owner,
    many(2, "parameters", { message: [one(1, "key", "int64"), one(2, "value", "int64")], isMapEntry: true }),
  ],
  ProposalApproveContract: [...proposal, one(3, "is_add_approval", "bool")],
  ProposalDeleteContract: proposal,
  SetAccountIdContract: [one(1, "account_id", "name"), one(2, "owner_address", "address")],
  CreateSmartContract: [
    owner,
    one(2, "new_contract", { message: smartContract }),
    one(3, "call_token_value", "int64"),
    one(4, "token_id", "int64"),
  ],
  TriggerSmartContract: [
    owner,
    one(2, "contract_address", "address"),
    one(3, "call_value", "int64"),
    one(4, "data", "bytes"),
    one(5, "call_token_value", "int64"),
    one(6, "token_id", "int64"),
  ],
  UpdateSettingContract: [...ownContract, one(3, "consume_user_resource_percent", "int64")],
  ExchangeCreateContract: [
    owner,
    one(2, "first_token_id", "name"),
    one(3, "first_token_balance", "int64"),
    one(4, "second_token_id", "name"),
    one(5, "second_token_balance", "int64"),
  ],
  ExchangeInjectContract: exchangeMove,
  ExchangeWithdrawContract: exchangeMove,
  ExchangeTransactionContract: [...exchangeMove, one(5, "expected", "int64")],
  UpdateEnergyLimitContract: [...ownContract, one(3, "origin_energy_limit", "int64")],
  AccountPermissionUpdateContract: [
    owner,
    one(2, "owner", { message: permission }),
    one(3, "witness", { message: permission }),
    many(4, "actives", { message: permission }),
  ],
  ClearABIContract: ownContract,
  UpdateBrokerageContract: [owner, one(2, "brokerage", "int32")],
  MarketSellAssetContract: [
    owner,
    one(2, "sell_token_id", "name"),
    one(3, "sell_token_quantity", "int64"),
    one(4, "buy_token_id", "name"),
    one(5, "buy_token_quantity", "int64"),
  ],
  MarketCancelOrderContract: [owner, one(2, "order_id", "bytes")],
  FreezeBalanceV2Contract: [owner, one(2, "frozen_balance", "int64"), one(3, "resource", resource)],
  UnfreezeBalanceV2Contract: [owner, one(2, "unfreeze_balance", "int64"), one(3, "resource", resource)],
  WithdrawExpireUnfreezeContract: [owner],
  DelegateResourceContract: [
    owner,
    one(2, "resource", resource),
    one(3, "balance", "int64"),
    one(4, "receiver_address", "address"),
    one(5, "lock", "bool"),
    one(6, "lock_period", "int64"),
  ],
  UnDelegateResourceContract: [
    owner,
    one(2, "resource", resource),
    one(3, "balance", "int64"),
    one(4, "receiver_address", "address"),
  ],
  CancelAllUnfreezeV2Contract: [owner],
};
