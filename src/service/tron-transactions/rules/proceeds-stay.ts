import { leavesProceeds } from "../../../chains/tron/calls/proceeds.ts";
import type { TronRule } from "./rule.ts";

/** The user pays, and the proceeds stay in the router. A stranger can take them by a public function of the router. */
export const proceedsStay: TronRule = ({ calls, contract }) => {
  if (calls?.call.is !== "other" || contract === undefined) return undefined;
  return leavesProceeds(calls, contract.address)
    ? `leaves what the call of ${contract.address} yields with that contract, where anybody can take it, and does not pass it on`
    : undefined;
};
