import { CHANGES_PERMISSIONS } from "./operation-classes.ts";
import type { TronRule } from "./rule.ts";
import { strangersActives, strangersIn } from "./strangers-actives.ts";

/** T5: bit 46 in another's hands is the whole account, one transaction later. */
export const activeChangesPermissions: TronRule = (facts) => {
  const active = strangersActives(facts).find(({ gained }) => gained.includes(CHANGES_PERMISSIONS));
  if (active === undefined) return undefined;
  return `lets ${strangersIn(active)} change the account's permissions, and so take the account`;
};
