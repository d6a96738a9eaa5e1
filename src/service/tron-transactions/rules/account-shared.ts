import { reachOf } from "../permissions/permission-analysis.ts";
import { movesAssets } from "./operation-classes.ts";
import { operationsText } from "./permission-text.ts";
import type { TronRule } from "./rule.ts";
import { strangersIn } from "./strangers-actives.ts";

/**
 * Other keys control the present account without its own key. The owner may not know, and learns of it before more
 * assets go into the account.
 */
export const accountShared: TronRule = ({ operation, chain }) => {
  if (chain === undefined || chain.owner === "not activated") return undefined;
  const { owner, actives } = chain.owner.permissions;
  const all = { ...owner, reach: reachOf(owner, operation.owner) };
  if (all.reach.others) return `${strangersIn(all)} can do everything with this account without its own key`;
  for (const active of actives) {
    const reach = reachOf(active, operation.owner);
    const types = active.granted.types.filter(
      (type) => movesAssets.has(type) || type === "AccountPermissionUpdateContract",
    );
    if (reach.others && types.length > 0)
      return `${strangersIn({ ...active, reach })} can use this account without its own key: ${operationsText(types)}`;
  }
  return undefined;
};
