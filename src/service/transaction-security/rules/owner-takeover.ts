import type { Finds } from "./rule.ts";

/** T1: others can do everything with the account, and the user nothing without them. */
export const ownerTakeover: Finds = ({ permissions }) => {
  const owner = permissions?.owner;
  if (owner === undefined || !owner.reach.others || owner.reach.user) return undefined;
  if (!owner.strangersGain && !owner.userLoses) return undefined;
  const { reach } = owner;
  return `takes the account away: ${reach.strangers.join(", ") || "anybody"} could do everything with it, your own key alone nothing`;
};
