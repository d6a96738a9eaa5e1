import type { Finds } from "./rule.ts";

/** T3, the "2 of 2" trap: neither the user nor others reach the threshold alone, so whoever co-signs can ask for ransom. */
export const ownerNeedsCosigner: Finds = ({ permissions }) => {
  const owner = permissions?.owner;
  if (owner === undefined || !owner.userLoses) return undefined;
  const { reach } = owner;
  if (reach.user || reach.others || !reach.anybody) return undefined;
  return `you could do nothing with the account any more unless ${reach.strangers.join(" or ")} signs too`;
};
