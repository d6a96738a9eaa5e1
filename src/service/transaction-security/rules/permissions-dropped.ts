import type { Finds } from "./rule.ts";

/**
 * T6: an update replaces everything that it does not repeat. One after which the user's own key reaches no active
 * permission that grants anything took his away, or left all of them out.
 */
export const permissionsDropped: Finds = ({ permissions }) => {
  if (permissions === undefined || !permissions.userWasActive) return undefined;
  if (permissions.actives.some(({ reach, granted }) => reach.user && granted.types.length > 0)) return undefined;
  return permissions.actives.length === 0
    ? "leaves out every active permission, and what an update leaves out is dropped"
    : "drops every active permission of your own key: none that it sets can be used by you alone";
};
