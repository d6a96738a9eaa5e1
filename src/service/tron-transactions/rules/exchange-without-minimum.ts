import { tradesAtAnyPrice } from "../../../chains/tron/calls/proceeds.ts";
import type { SupportedType } from "../../../chains/tron/message/contract-types.ts";
import { integerIn } from "../../../chains/tron/message/message-value.ts";
import type { TronRule } from "./rule.ts";

/** The field with the least amount that must come back. */
const leastOf: Partial<Readonly<Record<SupportedType, string>>> = {
  ExchangeTransactionContract: "expected",
  MarketSellAssetContract: "buy_token_quantity",
};

/** A trade with a minimum of at most one unit accepts any price. */
export const exchangeWithoutMinimum: TronRule = ({ operation, calls, contract }) => {
  const least = leastOf[operation.type];
  const isAnyPrice =
    (least !== undefined && integerIn(operation.value, least) <= 1n) ||
    (calls?.call.is === "other" && contract !== undefined && tradesAtAnyPrice(calls, contract.address));
  return isAnyPrice ? "trades without a lowest price" : undefined;
};
