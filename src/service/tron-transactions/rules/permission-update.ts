import type { CanonicalAddress } from "../../../chains/address.ts";
import type { TronFacts } from "../facts.ts";
import type { Permission } from "../permissions/permission.ts";
import { keysText, operationsText } from "./permission-text.ts";
import { hasOwnActive } from "./permissions-dropped.ts";
import type { TronRule } from "./rule.ts";

/** Said of every update: it costs 100 TRX, and all permissions are set anew. Names every key that is not the user's. */
export const permissionUpdate: TronRule = ({ permissions, operation }) => {
  if (permissions === undefined) return undefined;
  // Where none of his is left, `permissions_dropped` says it. How it was is known of accounts that a node was asked about.
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
