import { keysText, weighed } from "./permission-text.ts";
import type { TronRule } from "./rule.ts";
import { strangersIn } from "./strangers-actives.ts";

/** T1: other keys get full control of the account, and the user's key alone has none. */
export const ownerTakeover: TronRule = ({ permissions, operation }) => {
  const owner = permissions?.owner;
  if (owner === undefined || !owner.reach.others || owner.reach.user) return undefined;
  if (!owner.strangersGain && !owner.userLoses) return undefined;
  const own = keysText(weighed(owner.keys, [operation.owner]));
  return `takes the account away: ${strangersIn(owner)} could do everything with it, your own key ${own} alone nothing`;
};
