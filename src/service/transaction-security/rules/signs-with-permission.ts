import type { Finds } from "./rule.ts";

/** T13: signed by keys of another permission than the owner's, perhaps of several people. */
export const signsWithPermission: Finds = ({ permissionId }) =>
  permissionId === 0n ? undefined : `is to be signed under permission ${permissionId} of the account`;
