import type { Finds } from "./rule.ts";

/** T2: the user keeps his access, and others get all of it without him. */
export const ownerShared: Finds = ({ permissions }) => {
  const owner = permissions?.owner;
  if (owner === undefined || !owner.reach.others || !owner.reach.user || !owner.strangersGain) return undefined;
  const { reach } = owner;
  const who = reach.loneOthers.length > 0 ? reach.loneOthers.join(", ") : `${reach.strangers.join(" and ")} together`;
  return `lets ${who || "anybody"} do everything with the account without you`;
};
