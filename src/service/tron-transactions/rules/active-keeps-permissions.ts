import { CHANGES_PERMISSIONS } from "./operation-classes.ts";
import type { TronRule } from "./rule.ts";
import { strangersIn } from "./strangers-actives.ts";

/** T5, kept: the keys that could take the account before still can, although this update could have ended that. */
export const activeKeepsPermissions: TronRule = ({ permissions }) => {
  const active = permissions?.actives.find(({ kept }) => kept.includes(CHANGES_PERMISSIONS));
  if (active === undefined) return undefined;
  return `leaves ${strangersIn(active)} able to change the account's permissions, as before, and so to take the account`;
};
