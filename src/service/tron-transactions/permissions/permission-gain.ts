import type { CanonicalAddress } from "../../../chains/address.ts";
import type { ContractType } from "../../../chains/tron/message/contract-types.ts";
import type { PermissionSet } from "../tron-node.ts";
import { type Active, type Permission, reaches } from "./permission.ts";

/**
 * Maximum number of keys for a check of every subset. Nodes allow as many keys. With more keys the worst case is
 * assumed.
 */
const MAX_SUBSET_KEYS = 5;

/** True when some set of keys without the user's reaches `after` and reached none of `before`. */
export function strangersGain(after: Permission, before: readonly Permission[], user: CanonicalAddress): boolean {
  const all = strangersIn(after, user);
  if (!reaches(after, all)) return false;
  if (all.size > MAX_SUBSET_KEYS || !before.some((permission) => reaches(permission, all))) return true;
  return someSubset([...all], (set) => reaches(after, set) && !before.some((permission) => reaches(permission, set)));
}

/** True when the user's key, alone or with some other keys, reached `before` but does not reach `after`. */
export function userLoses(after: Permission, before: Permission, user: CanonicalAddress): boolean {
  const others = strangersIn(before, user);
  if (others.size > MAX_SUBSET_KEYS) return true;
  return someSubset([...others], (set) => {
    const without = reaches(before, set);
    const withUser = new Set(set).add(user);
    // A set of other keys that reaches the threshold alone does not need the user.
    return !without && reaches(before, withUser) && !reaches(after, withUser);
  });
}

/** The operations that other keys gain by `after`, and that no earlier permission gave them. */
export function gainedTypes(after: Active, before: PermissionSet, user: CanonicalAddress): readonly ContractType[] {
  if (!reaches(after, strangersIn(after, user))) return [];
  // Most operations were granted by the same set of permissions, so the result is cached per set.
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
 * The operations that other keys had before and keep by `after`, although the update could revoke them. Operations that
 * the new owner permission gives to the same keys anyway are left out.
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

/** The operations that the user's own key had by an active permission before, and has by none after. */
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
