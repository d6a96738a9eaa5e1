import type { CanonicalAddress } from "../../../chains/address.ts";
import type { ContractType } from "../../../chains/tron/message/contract-types.ts";
import type { PermissionSet } from "../tron-node.ts";
import { type Active, type Permission, reaches } from "./permission.ts";

/** Every subset of so many keys is looked at, which is as many as nodes allow; of more the worst is assumed. */
const MAX_SUBSET_KEYS = 5;

/** Whether some who are not the user reach `after`, and did not reach any of `before`: they could do nothing like it. */
export function strangersGain(after: Permission, before: readonly Permission[], user: CanonicalAddress): boolean {
  const all = strangersIn(after, user);
  if (!reaches(after, all)) return false;
  if (all.size > MAX_SUBSET_KEYS || !before.some((permission) => reaches(permission, all))) return true;
  return someSubset([...all], (set) => reaches(after, set) && !before.some((permission) => reaches(permission, set)));
}

/** Whether the user, alone or with some others, reached `before` and does not reach `after` with them any more. */
export function userLoses(after: Permission, before: Permission, user: CanonicalAddress): boolean {
  const others = strangersIn(before, user);
  if (others.size > MAX_SUBSET_KEYS) return true;
  return someSubset([...others], (set) => {
    const without = reaches(before, set);
    const withUser = new Set(set).add(user);
    // Where the others reached it anyway, the user had no say in it.
    return !without && reaches(before, withUser) && !reaches(after, withUser);
  });
}

/** The operations that some who are not the user may do by `after`, and might not before by any permission. */
export function gainedTypes(after: Active, before: PermissionSet, user: CanonicalAddress): readonly ContractType[] {
  if (!reaches(after, strangersIn(after, user))) return [];
  // Most operations were granted by the same permissions: who gains is found out once for all of these.
  const known = new Map<string, boolean>();
  return after.granted.types.filter((type) => {
    const granting = before.actives.map(({ granted }) => granted.types.includes(type));
    const key = granting.join();
    const gain =
      known.get(key) ?? strangersGain(after, [before.owner, ...before.actives.filter((_, i) => granting[i])], user);
    known.set(key, gain);
    return gain;
  });
}

/**
 * The operations that some who are not the user may do by `after` and might before: what an update leaves in their hands
 * that it could take from them. Not what the same people may do anyway by the owner's permission that it sets.
 */
export function keptTypes(
  after: Active,
  before: PermissionSet,
  owner: Permission | undefined,
  user: CanonicalAddress,
): readonly ContractType[] {
  if (!strangersGain(after, owner === undefined ? [] : [owner], user)) return [];
  const gained = gainedTypes(after, before, user);
  return after.granted.types.filter((type) => !gained.includes(type));
}

/** The operations that the user's own key could do by an active permission before, and can by none after. */
export function lostTypes(
  after: readonly Active[],
  before: readonly Active[],
  user: CanonicalAddress,
): readonly ContractType[] {
  const own = (actives: readonly Active[]) =>
    new Set(actives.filter((active) => reaches(active, new Set([user]))).flatMap(({ granted }) => granted.types));
  const left = own(after);
  return [...own(before)].filter((type) => !left.has(type));
}

function strangersIn({ keys }: Permission, user: CanonicalAddress): ReadonlySet<CanonicalAddress> {
  return new Set(keys.map(({ address }) => address).filter((address) => address !== user));
}

function someSubset(
  addresses: readonly CanonicalAddress[],
  holds: (set: ReadonlySet<CanonicalAddress>) => boolean,
): boolean {
  for (let bits = 0; bits < 2 ** addresses.length; bits++) {
    if (holds(new Set(addresses.filter((_, i) => (bits & (1 << i)) !== 0)))) return true;
  }
  return false;
}
