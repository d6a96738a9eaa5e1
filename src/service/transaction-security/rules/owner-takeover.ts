import type { Finds } from "./rule.ts";

/** T1: others can do everything with the account, and the user nothing without them. */
export const ownerTakeover: Finds = ({ permissions }) => {
  const reach = permissions?.owner?.reach;
  if (reach === undefined || !reach.others || reach.user) return undefined;
  return `takes the account away: ${reach.strangers.join(", ") || "anybody"} could do everything with it, your own key alone nothing`;
};
