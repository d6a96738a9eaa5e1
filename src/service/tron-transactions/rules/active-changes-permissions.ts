import { CHANGES_PERMISSIONS } from "./operation-classes.ts";
import type { TronRule } from "./rule.ts";
import { strangersActives, strangersIn } from "./strangers-actives.ts";

/** T5: a stranger with operation bit 46 can take the whole account by one more transaction. */
export const activeChangesPermissions: TronRule = (facts) => {
  const active = strangersActives(facts).find(({ gained }) => gained.includes(CHANGES_PERMISSIONS));
  if (active === undefined) return undefined;
  return `lets ${strangersIn(active)} change the account's permissions, and so take the account`;
};
