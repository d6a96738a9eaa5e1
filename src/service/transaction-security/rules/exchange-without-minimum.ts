import type { SupportedType } from "../../../chains/tron/contract-types.ts";
import { integerIn } from "../../../chains/tron/message-value.ts";
import type { Finds } from "./rule.ts";

/** The field that says what must come back at least. */
const leastOf: Partial<Readonly<Record<SupportedType, string>>> = {
  ExchangeTransactionContract: "expected",
  MarketSellAssetContract: "buy_token_quantity",
};

/** Whoever trades for at least one unit takes any price. */
export const exchangeWithoutMinimum: Finds = ({ operation }) => {
  const least = operation === undefined ? undefined : leastOf[operation.type];
  if (operation === undefined || least === undefined) return undefined;
  return integerIn(operation.value, least) <= 1n ? "trades without a lowest price" : undefined;
};
