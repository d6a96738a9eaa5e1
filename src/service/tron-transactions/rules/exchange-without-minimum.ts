import { tradesAtAnyPrice } from "../../../chains/tron/calls/proceeds.ts";
import type { SupportedType } from "../../../chains/tron/message/contract-types.ts";
import { integerIn } from "../../../chains/tron/message/message-value.ts";
import type { TronRule } from "./rule.ts";

/** The field that says what must come back at least. */
const leastOf: Partial<Readonly<Record<SupportedType, string>>> = {
  ExchangeTransactionContract: "expected",
  MarketSellAssetContract: "buy_token_quantity",
};

/** Whoever trades for at least one unit takes any price. */
export const exchangeWithoutMinimum: TronRule = ({ operation, calls, contract }) => {
  const least = leastOf[operation.type];
  const isAnyPrice =
    (least !== undefined && integerIn(operation.value, least) <= 1n) ||
    (calls?.call.is === "other" && contract !== undefined && tradesAtAnyPrice(calls, contract.address));
  return isAnyPrice ? "trades without a lowest price" : undefined;
};
