import { tokenCallsIn } from "../../../chains/tron/calls/calls-read.ts";
import type { TronRule } from "./rule.ts";

/**
 * T10: the user takes another owner's tokens by an allowance, perhaps inside a multicall. A wallet's user has no reason
 * to do so.
 */
export const transferFromAnother: TronRule = ({ operation, calls }) => {
  if (calls === undefined) return undefined;
  for (const { call: each } of tokenCallsIn(calls)) {
    if (each.does === "transfer" && each.from !== undefined && each.from !== operation.owner)
      return `moves tokens of ${each.from}, who is not you`;
  }
  return undefined;
};
