import { tokenCallsIn } from "../../../chains/tron/calls/calls-read.ts";
import { gainingBy } from "../../../chains/tron/counterparty.ts";
import type { TronRule } from "./rule.ts";

/**
 * A multicall holds a token's own call. The name of the multicall hides which address gets tokens, or the right to take
 * them.
 */
export const tokenCallInside: TronRule = ({ operation, calls, contract, isService }) => {
  if (calls?.call.is !== "other") return undefined;
  for (const { name, call: inner } of tokenCallsIn(calls)) {
    const gaining = gainingBy(inner);
    if (gaining !== undefined && gaining.address !== operation.owner && !isService(gaining.address))
      return `calls ${name} of ${contract?.address} for the ${gaining.role} ${gaining.address}, inside another call`;
  }
  return undefined;
};
