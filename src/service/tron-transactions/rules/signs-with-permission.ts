import type { TronRule } from "./rule.ts";

/** 0 is the owner's, 1 the witness', which signs blocks only. Source: java-tron, AccountPermissionUpdateActuator. */
const ACTIVE_IDS = { first: 2n, last: 9n } as const;

/** T13: signed by keys of another permission than the owner's, perhaps of several people. */
export const signsWithPermission: TronRule = ({ permissionId }) => {
  if (permissionId === 0n) return undefined;
  const isActive = permissionId >= ACTIVE_IDS.first && permissionId <= ACTIVE_IDS.last;
  const said = `is to be signed under permission ${permissionId} of the account`;
  return isActive ? said : `${said}, and no account has one of that number that signs transactions`;
};
