import type { Finds } from "./rule.ts";

/** T1: no keys together reach the threshold, so the account is lost to everybody. */
export const ownerLockedOut: Finds = ({ permissions }) => {
  const owner = permissions?.owner;
  if (owner === undefined || owner.reach.anybody) return undefined;
  return `locks the account for ever: its keys together do not reach the threshold ${owner.threshold}`;
};
