import { hexIn } from "../../../chains/tron/message-value.ts";
import { tokenCallsInside } from "../../../chains/tron/token-call.ts";
import type { Finds } from "./rule.ts";

/** T10: the user would take another's tokens by an allowance, in a multicall too; a wallet's user has no reason to. */
export const transferFromAnother: Finds = ({ operation, call }) => {
  if (operation === undefined || call === undefined) return undefined;
  for (const { call: each } of call.is === "token" ? [call] : tokenCallsInside(hexIn(operation.value, "data"))) {
    if (each.does === "transfer" && each.from !== undefined && each.from !== operation.owner)
      return `moves tokens of ${each.from}, who is not you`;
  }
  return undefined;
};
