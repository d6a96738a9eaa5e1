import type { Finds } from "./rule.ts";

/** T3, the "2 of 2" trap: neither the user nor others reach the threshold alone, so whoever co-signs can ask for ransom. */
export const ownerNeedsCosigner: Finds = ({ permissions }) => {
  const reach = permissions?.owner?.reach;
  if (reach === undefined || reach.user || reach.others || !reach.anybody) return undefined;
  return `you could do nothing with the account any more unless ${reach.strangers.join(" or ")} signs too`;
};
