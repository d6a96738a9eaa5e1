import { hexIn } from "../../../chains/tron/message-value.ts";
import { leavesProceeds } from "../../../chains/tron/proceeds.ts";
import type { Finds } from "./rule.ts";

/** The user pays, and what that yields is left with the router: whoever comes next takes it, by a function made for that. */
export const proceedsStay: Finds = ({ operation, call, contract }) => {
  if (operation === undefined || call?.is !== "other" || contract === undefined) return undefined;
  return leavesProceeds(hexIn(operation.value, "data"), contract.address)
    ? `leaves what the call of ${contract.address} yields with that contract, where anybody can take it, and does not pass it on`
    : undefined;
};
