import { tokenCallsIn } from "../../../chains/tron/calls/calls-read.ts";
import type { TronRule } from "./rule.ts";

/** T10: the user would take another's tokens by an allowance, in a multicall too; a wallet's user has no reason to. */
export const transferFromAnother: TronRule = ({ operation, calls }) => {
  if (calls === undefined) return undefined;
  for (const { call: each } of tokenCallsIn(calls)) {
    if (each.does === "transfer" && each.from !== undefined && each.from !== operation.owner)
      return `moves tokens of ${each.from}, who is not you`;
  }
  return undefined;
};
