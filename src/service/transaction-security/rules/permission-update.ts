import type { Facts } from "../facts.ts";
import type { Finds } from "./rule.ts";

/** Said of every update: it costs 100 TRX, and all permissions are set anew. */
export const permissionUpdate: Finds = ({ permissions }) =>
  permissions === undefined ? undefined : `sets all permissions of the account anew: ${summaryOf(permissions)}`;

function summaryOf({ owner, witness, actives }: NonNullable<Facts["permissions"]>): string {
  const owners = owner === undefined ? "no owner" : `owner with ${keys(owner.keys.length)}`;
  return [owners, ...(witness === undefined ? [] : ["a witness"]), `${actives.length} active`].join(", ");
}

function keys(count: number): string {
  return count === 1 ? "1 key" : `${count} keys`;
}
