import type { TronRule } from "./rule.ts";

/** A wallet sends tokens by `transfer`; who moves his own by an allowance does the same by what looks like another's doing. */
export const transferFromSelf: TronRule = ({ call, operation, contract }) => {
  if (call?.is !== "token" || call.call.does !== "transfer" || contract?.isToken !== true) return undefined;
  return call.call.from === operation.owner ? `pays with your own tokens by ${call.name}, as by transfer` : undefined;
};
