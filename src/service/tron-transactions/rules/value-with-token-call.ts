import { integerIn } from "../../../chains/tron/message/message-value.ts";
import type { TronRule } from "./rule.ts";

/** Token functions take no money. A contract that takes money with such a call is no token, or keeps the money. */
export const valueWithTokenCall: TronRule = ({ operation, call }) => {
  if (call === undefined || call.is === "other") return undefined;
  const isPaid = ["call_value", "call_token_value"].some((name) => integerIn(operation.value, name) > 0n);
  return isPaid ? `money goes with ${call.name}, which a token does not take` : undefined;
};
