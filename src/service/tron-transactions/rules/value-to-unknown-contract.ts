import { integerIn } from "../../../chains/tron/message/message-value.ts";
import { trx } from "./amounts.ts";
import type { TronRule } from "./rule.ts";

/** Money goes to an unknown contract by an unknown call, as in a false "claim". */
export const valueToUnknownContract: TronRule = ({ operation, call, contract }) => {
  if (call?.is !== "other" || contract === undefined || contract.isWellKnown) return undefined;
  const sun = integerIn(operation.value, "call_value");
  const tokens = integerIn(operation.value, "call_token_value");
  if (sun === 0n && tokens === 0n) return undefined;
  const paid = [sun > 0n ? trx(sun) : "", tokens > 0n ? `${tokens} of a TRC-10` : ""].filter((part) => part !== "");
  return `pays ${paid.join(" and ")} to the unknown contract ${contract.address} by a call that cannot be told`;
};
