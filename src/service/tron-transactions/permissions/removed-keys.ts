import type { CanonicalAddress } from "../../../chains/address.ts";
import type { ContractType } from "../../../chains/tron/message/contract-types.ts";
import type { PermissionSet } from "../tron-node.ts";
import type { Permission } from "./permission.ts";

/** Where a key stood that loses every right. */
export interface LostRight {
  readonly of: "owner" | "witness" | "active";
  readonly weight: bigint;
  readonly threshold: bigint;
  /** Of an active permission, what it was for. */
  readonly types: readonly ContractType[];
}

/** A key that stands in no permission any more. */
export interface RemovedKey {
  readonly address: CanonicalAddress;
  readonly rights: readonly LostRight[];
}

/** Keys of others than the user that stood in a permission before and stand in none after. */
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
