import { reachOf } from "../permission-analysis.ts";
import { movesAssets } from "./operation-classes.ts";
import type { Finds } from "./rule.ts";

/** Whoever shares an account on purpose knows it; whoever does not hears of it before he puts more into it. */
export const accountShared: Finds = ({ operation, chain }) => {
  if (operation === undefined || chain === undefined || chain.owner === "not activated") return undefined;
  const { owner, actives } = chain.owner.permissions;
  const all = reachOf(owner, operation.owner);
  if (all.others) return `${all.strangers.join(", ")} can do everything with this account without its own key`;
  for (const active of actives) {
    const { others, strangers } = reachOf(active, operation.owner);
    const types = active.granted.types.filter(
      (type) => movesAssets.has(type) || type === "AccountPermissionUpdateContract",
    );
    if (others && types.length > 0)
      return `${strangers.join(", ")} can use this account without its own key: ${types.join(", ")}`;
  }
  return undefined;
};
