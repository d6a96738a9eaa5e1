import type { CanonicalAddress } from "../../../chains/address.ts";
import type { ContractType } from "../../../chains/tron/message/contract-types.ts";
import type { PermissionSet } from "../tron-node.ts";
import type { Permission } from "./permission.ts";

/** A right of a key that loses all of its rights. */
export interface LostRight {
  readonly of: "owner" | "witness" | "active";
  readonly weight: bigint;
  readonly threshold: bigint;
  /** The operations that an active permission granted. Empty for the owner and witness permissions. */
  readonly types: readonly ContractType[];
}

/** A key that is in no permission after an update. */
export interface RemovedKey {
  readonly address: CanonicalAddress;
  readonly rights: readonly LostRight[];
}

/** Lists keys other than the user's that were in a permission before and are in none after. */
export function removedKeys(
  before: PermissionSet,
  after: readonly (Permission | undefined)[],
  user: CanonicalAddress,
): readonly RemovedKey[] {
  const kept = new Set(after.flatMap((permission) => (permission?.keys ?? []).map(({ address }) => address)));
  const rights = new Map<CanonicalAddress, LostRight[]>();
  for (const { of, permission, types } of rightsIn(before)) {
    for (const { address, weight } of permission.keys) {
      if (address === user || kept.has(address)) continue;
      const right = { of, weight, threshold: permission.threshold, types };
      rights.set(address, [...(rights.get(address) ?? []), right]);
    }
  }
  return [...rights].map(([address, lost]) => ({ address, rights: lost }));
}

function rightsIn({ owner, witness, actives }: PermissionSet) {
  const none: readonly ContractType[] = [];
  return [
    { of: "owner" as const, permission: owner, types: none },
    ...(witness === undefined ? [] : [{ of: "witness" as const, permission: witness, types: none }]),
    ...actives.map((active) => ({ of: "active" as const, permission: active, types: active.granted.types })),
  ];
}
