import { leavesProceeds } from "../../../chains/tron/calls/proceeds.ts";
import type { TronRule } from "./rule.ts";

/** The user pays, and what that yields is left with the router: whoever comes next takes it, by a function made for that. */
export const proceedsStay: TronRule = ({ calls, contract }) => {
  if (calls?.call.is !== "other" || contract === undefined) return undefined;
  return leavesProceeds(calls, contract.address)
    ? `leaves what the call of ${contract.address} yields with that contract, where anybody can take it, and does not pass it on`
    : undefined;
};
