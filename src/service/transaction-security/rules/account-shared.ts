import { reachOf } from "../permission-analysis.ts";
import type { Finds } from "./rule.ts";

/** Whoever shares an account on purpose knows it; whoever does not hears of it before he puts more into it. */
export const accountShared: Finds = ({ operation, chain }) => {
  if (operation === undefined || chain === undefined || chain.owner === "not activated") return undefined;
  const { others, strangers } = reachOf(chain.owner.permissions.owner, operation.owner);
  return others ? `${strangers.join(", ")} can do everything with this account without its own key` : undefined;
};
