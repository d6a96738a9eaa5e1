import type { Finds } from "./rule.ts";

/** T2: the user keeps his access, and others get all of it without him. */
export const ownerShared: Finds = ({ permissions }) => {
  const reach = permissions?.owner?.reach;
  if (reach === undefined || !reach.others || !reach.user) return undefined;
  const who = reach.loneOthers.length > 0 ? reach.loneOthers.join(", ") : `${reach.strangers.join(" and ")} together`;
  return `lets ${who || "anybody"} do everything with the account without you`;
};
