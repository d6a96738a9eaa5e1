import type { TronFacts } from "../facts.ts";
import { operationsText } from "./permission-text.ts";
import type { TronRule } from "./rule.ts";

/** True when the user's own key reaches an active permission of the update that grants an operation. */
export function hasOwnActive({ actives }: NonNullable<TronFacts["permissions"]>): boolean {
  return actives.some(({ reach, granted }) => reach.user && granted.types.length > 0);
}

/**
 * T6: an update drops every permission that it does not repeat. After this one, the user's own key reaches no active
 * permission that grants an operation.
 */
export const permissionsDropped: TronRule = ({ permissions }) => {
  if (permissions === undefined || !permissions.userWasActive) return undefined;
  if (hasOwnActive(permissions)) return undefined;
  const lost = `your own key alone could not ${operationsText(permissions.lost)} but as the owner`;
  return permissions.actives.length === 0
    ? `leaves out every active permission, and what an update leaves out is dropped: ${lost}`
    : `drops every active permission of your own key: none that it sets can be used by you alone: ${lost}`;
};
