import type { SupportedType } from "./message/contract-types.ts";
import { integerIn, textIn } from "./message/message-value.ts";
import type { Operation } from "./operation.ts";

/** Fields that name a TRC-10 token by its id, as text. Before ids came, in 2019, these fields held names. */
const fields: Partial<Readonly<Record<SupportedType, readonly string[]>>> = {
  TransferAssetContract: ["asset_name"],
  ParticipateAssetIssueContract: ["asset_name"],
  ExchangeCreateContract: ["first_token_id", "second_token_id"],
  ExchangeInjectContract: ["token_id"],
  ExchangeWithdrawContract: ["token_id"],
  ExchangeTransactionContract: ["token_id"],
  MarketSellAssetContract: ["sell_token_id", "buy_token_id"],
};

/** A numeric id of the chain. The text `_` stands for TRX. */
const id = /^[1-9]\d{0,18}$/;

/** The ids of the TRC-10 tokens that an operation moves or asks for, each once. */
export function assetIdsIn({ type, value }: Operation): readonly bigint[] {
  const named = (fields[type] ?? []).map((field) => textIn(value, field)).filter((text) => id.test(text));
  const isSent = integerIn(value, "call_token_value") > 0n;
  const sent = isSent ? [integerIn(value, "token_id")] : [];
  return [...new Set([...named.map(BigInt), ...sent])].filter((each) => each > 0n);
}
