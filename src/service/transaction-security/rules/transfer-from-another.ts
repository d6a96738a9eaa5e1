import type { Finds } from "./rule.ts";

/** T10: the user would take another's tokens by an allowance; a wallet's user has no reason to. */
export const transferFromAnother: Finds = ({ call, operation }) => {
  if (call?.is !== "token" || call.call.does !== "transfer" || call.call.from === undefined) return undefined;
  return call.call.from === operation?.owner ? undefined : `moves tokens of ${call.call.from}, who is not you`;
};
