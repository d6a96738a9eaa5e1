import { CHANGES_PERMISSIONS } from "./operation-classes.ts";
import type { TronRule } from "./rule.ts";
import { strangersIn } from "./strangers-actives.ts";

/** T5, left as it was: who could take the account before can after it, though the update was the time to end it. */
export const activeKeepsPermissions: TronRule = ({ permissions }) => {
  const active = permissions?.actives.find(({ kept }) => kept.includes(CHANGES_PERMISSIONS));
  if (active === undefined) return undefined;
  return `leaves ${strangersIn(active)} able to change the account's permissions, as before, and so to take the account`;
};
