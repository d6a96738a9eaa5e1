import type { TronFacts } from "../facts.ts";
import { operationsText } from "./permission-text.ts";
import type { TronRule } from "./rule.ts";

/** Whether the user's own key can do anything by an active permission that an update sets. */
export function hasOwnActive({ actives }: NonNullable<TronFacts["permissions"]>): boolean {
  return actives.some(({ reach, granted }) => reach.user && granted.types.length > 0);
}

/**
 * T6: an update replaces everything that it does not repeat. One after which the user's own key reaches no active
 * permission that grants anything took his away, or left all of them out.
 */
export const permissionsDropped: TronRule = ({ permissions }) => {
  if (permissions === undefined || !permissions.userWasActive) return undefined;
  if (hasOwnActive(permissions)) return undefined;
  const lost = `your own key alone could not ${operationsText(permissions.lost)} but as the owner`;
  return permissions.actives.length === 0
    ? `leaves out every active permission, and what an update leaves out is dropped: ${lost}`
    : `drops every active permission of your own key: none that it sets can be used by you alone: ${lost}`;
};
