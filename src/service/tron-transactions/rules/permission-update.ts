import type { CanonicalAddress } from "../../../chains/address.ts";
import type { TronFacts } from "../facts.ts";
import type { Permission } from "../permissions/permission.ts";
import { keysText, operationsText } from "./permission-text.ts";
import { hasOwnActive } from "./permissions-dropped.ts";
import type { TronRule } from "./rule.ts";

/**
 * Reported for every update, because an update costs 100 TRX and replaces all permissions. The text names the keys
 * other than the user's.
 */
export const permissionUpdate: TronRule = ({ permissions, operation }) => {
  if (permissions === undefined) return undefined;
  // `permissions_dropped` reports the case in which no active permission of the user is left. The earlier permissions
  // are known only from a node.
  const isSaid = permissions.lost.length === 0 || !hasOwnActive(permissions);
  const lost = isSaid
    ? ""
    : `; by none of the active ones could your own key alone ${operationsText(permissions.lost)}`;
  return `sets all permissions of the account anew: ${summaryOf(permissions, operation.owner)}${lost}`;
};

/** Nodes allow eight. */
const MAX_ACTIVES = 8;

function summaryOf({ owner, witness, actives }: NonNullable<TronFacts["permissions"]>, user: CanonicalAddress): string {
  const shown = actives.slice(0, MAX_ACTIVES).map((active, i) => permissionText(`active ${i}`, active, user));
  return [
    owner === undefined ? "no owner" : permissionText("owner", owner, user),
    ...(witness === undefined ? [] : [permissionText("witness", witness, user)]),
    ...(shown.length === 0 ? ["no active"] : shown),
    ...(actives.length > MAX_ACTIVES ? [`${actives.length - MAX_ACTIVES} active more`] : []),
  ].join("; ");
}

function permissionText(name: string, { threshold, keys }: Permission, user: CanonicalAddress): string {
  const own = keys.filter(({ address }) => address === user).map(({ weight }) => `your key (weight ${weight})`);
  const others = keys.filter(({ address }) => address !== user);
  const all = [...own, ...(others.length === 0 ? [] : [keysText(others)])];
  return `${name} with a threshold of ${threshold}: ${all.join(", ") || "no keys"}`;
}
