import { keysText, weighed } from "./permission-text.ts";
import type { TronRule } from "./rule.ts";

/**
 * T3, the "2 of 2" trap: neither the user nor the other keys reach the threshold alone. The holder of the other keys
 * can demand a ransom.
 */
export const ownerNeedsCosigner: TronRule = ({ permissions, operation }) => {
  const owner = permissions?.owner;
  if (owner === undefined || !owner.userLoses) return undefined;
  const { reach, keys, threshold } = owner;
  if (reach.user || reach.others || !reach.anybody) return undefined;
  const own = keysText(weighed(keys, [operation.owner]));
  const others = keysText(weighed(keys, reach.strangers));
  return `you, ${own}, could do nothing with the account any more unless others sign too, by a threshold of ${threshold}: ${others}`;
};
