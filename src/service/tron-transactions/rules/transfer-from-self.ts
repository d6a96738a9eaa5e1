import type { TronRule } from "./rule.ts";

/**
 * A wallet sends tokens by `transfer`. A transfer of the user's own tokens by an allowance looks like another account's
 * payment.
 */
export const transferFromSelf: TronRule = ({ call, operation, contract }) => {
  if (call?.is !== "token" || call.call.does !== "transfer" || contract?.isToken !== true) return undefined;
  return call.call.from === operation.owner ? `pays with your own tokens by ${call.name}, as by transfer` : undefined;
};
