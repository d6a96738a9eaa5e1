import type { CanonicalAddress } from "../../../chains/address.ts";
import type { TronFacts } from "../facts.ts";
import type { Permission } from "../permissions/permission.ts";
import { reachOf } from "../permissions/permission-analysis.ts";
import type { LostRight, RemovedKey } from "../permissions/removed-keys.ts";
import { strangersIn } from "./active-permissions.ts";
import { keysText, movesAssets, operationsText, weighed } from "./permission-text.ts";
import type { TronRule } from "./rule.ts";

/** T1: other keys get full control of the account, and the user's key alone has none. */
export const ownerTakeover: TronRule = ({ permissions, operation }) => {
  const owner = permissions?.owner;
  if (owner === undefined || !owner.reach.others || owner.reach.user) return undefined;
  if (!owner.strangersGain && !owner.userLoses) return undefined;
  const own = keysText(weighed(owner.keys, [operation.owner]));
  return `takes the account away: ${strangersIn(owner)} could do everything with it, your own key ${own} alone nothing`;
};

/** T2: the user keeps full control, and other keys get full control without the user. */
export const ownerShared: TronRule = ({ permissions }) => {
  const owner = permissions?.owner;
  if (owner === undefined || !owner.reach.others || !owner.reach.user || !owner.strangersGain) return undefined;
  return `lets ${strangersIn(owner)} do everything with the account without you`;
};

/**
 * T3, the "2 of 2" trap: neither the user nor the other keys reach the threshold alone. The holder of the other keys
 * can demand a ransom.
 */
export const ownerNeedsCosigner: TronRule = ({ permissions, operation }) => {
  const owner = permissions?.owner;
  if (owner === undefined || !owner.userLoses) return undefined;
  const { reach, keys, threshold } = owner;
  if (reach.user || reach.others || !reach.anybody) return undefined;
  const own = keysText(weighed(keys, [operation.owner]));
  const others = keysText(weighed(keys, reach.strangers));
  return `you, ${own}, could do nothing with the account any more unless others sign too, by a threshold of ${threshold}: ${others}`;
};

/** T1: all keys together do not reach the threshold, so no key can use the account. */
export const ownerLockedOut: TronRule = ({ permissions }) => {
  const owner = permissions?.owner;
  if (owner === undefined || owner.reach.anybody) return undefined;
  const keys = owner.keys.length === 0 ? "it has no keys" : keysText(owner.keys);
  return `locks the account for ever: its keys together do not reach the threshold ${owner.threshold}: ${keys}`;
};

/**
 * Other keys control the present account without its own key. The owner may not know, and learns of it before more
 * assets go into the account.
 */
export const accountShared: TronRule = ({ operation, chain }) => {
  if (chain === undefined || chain.owner === "not activated") return undefined;
  const { owner, actives } = chain.owner.permissions;
  const all = { ...owner, reach: reachOf(owner, operation.owner) };
  if (all.reach.others) return `${strangersIn(all)} can do everything with this account without its own key`;
  for (const active of actives) {
    const reach = reachOf(active, operation.owner);
    const types = active.granted.types.filter(
      (type) => movesAssets.has(type) || type === "AccountPermissionUpdateContract",
    );
    if (reach.others && types.length > 0)
      return `${strangersIn({ ...active, reach })} can use this account without its own key: ${operationsText(types)}`;
  }
  return undefined;
};

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

/** An update that every node refuses comes from broken software, or is meant to be shown and not sent. */
export const permissionRefused: TronRule = ({ permissions }) =>
  permissions === undefined || permissions.refusals.length === 0
    ? undefined
    : `no node would take this update: ${permissions.refusals.join("; ")}`;

/** T6: an update drops every key that it does not repeat. The owner may rely on a dropped key. */
export const keysRemoved: TronRule = ({ permissions }) =>
  permissions === undefined || permissions.removed.length === 0
    ? undefined
    : `takes every right from ${permissions.removed.map(keyText).join("; ")}`;

function keyText({ address, rights }: RemovedKey): string {
  return `${address} (${rights.map(rightText).join(", and ")})`;
}

function rightText({ of, weight, threshold, types }: LostRight): string {
  const what = of === "active" ? `active for ${operationsText(types) || "nothing"}` : of;
  return `${what}, with weight ${weight} of a threshold of ${threshold}`;
}

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

/** T7: no web site has a reason to propose new permissions. Owners change permissions in their wallet. */
export const permissionUpdateFromSite: TronRule = ({ permissions, site }) =>
  permissions === undefined || site === undefined
    ? undefined
    : `${site.host} asks you to change who controls your account; no site needs that`;
