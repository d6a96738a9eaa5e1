import { integerIn, messageIn } from "../../../chains/tron/message/message-value.ts";
import { trx } from "./amounts.ts";
import type { TronRule } from "./rule.ts";

/** Money goes to a newly deployed contract. Its constructor may send the money anywhere. */
export const valueToNewContract: TronRule = ({ operation }) => {
  if (operation.type !== "CreateSmartContract") return undefined;
  const made = messageIn(operation.value, "new_contract");
  const sun = made === undefined ? 0n : integerIn(made, "call_value");
  const tokens = integerIn(operation.value, "call_token_value");
  if (sun === 0n && tokens === 0n) return undefined;
  const paid = [sun > 0n ? trx(sun) : "", tokens > 0n ? `${tokens} of a TRC-10` : ""].filter((part) => part !== "");
  return `pays ${paid.join(" and ")} to the contract that it makes, which may pass it on at once`;
};
