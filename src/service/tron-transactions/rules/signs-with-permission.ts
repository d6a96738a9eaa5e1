import type { TronRule } from "./rule.ts";

/**
 * 0 is the owner permission. 1 is the witness permission, which signs blocks only. Source: java-tron,
 * AccountPermissionUpdateActuator.
 */
const ACTIVE_IDS = { first: 2n, last: 9n } as const;

/** T13: the keys of a permission other than the owner's sign, perhaps several keys together. */
export const signsWithPermission: TronRule = ({ permissionId }) => {
  if (permissionId === 0n) return undefined;
  const isActive = permissionId >= ACTIVE_IDS.first && permissionId <= ACTIVE_IDS.last;
  const said = `is to be signed under permission ${permissionId} of the account`;
  return isActive ? said : `${said}, and no account has one of that number that signs transactions`;
};
