import { integerIn } from "../../../chains/tron/message-value.ts";
import type { Finds } from "./rule.ts";

/** Whoever trades for at least one unit takes any price. */
export const exchangeWithoutMinimum: Finds = ({ operation }) => {
  if (operation?.type !== "ExchangeTransactionContract") return undefined;
  return integerIn(operation.value, "expected") <= 1n ? "trades without a lowest price" : undefined;
};
