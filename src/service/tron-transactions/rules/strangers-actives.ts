import type { CanonicalAddress } from "../../../chains/address.ts";
import type { TronFacts } from "../facts.ts";
import type { Permission } from "../permissions/permission.ts";
import type { AnalysedActive, PermissionReach } from "../permissions/permission-analysis.ts";
import { keysText, weighed } from "./permission-text.ts";

/** Active permissions by which other keys gain operations without the user. */
export function strangersActives({ permissions }: TronFacts): readonly AnalysedActive[] {
  return (permissions?.actives ?? []).filter(({ gained }) => gained.length > 0);
}

/**
 * Names the keys that reach a permission's threshold without the user, alone or together, with the threshold. The text
 * is for the user.
 */
export function strangersIn(permission: Permission & { readonly reach: PermissionReach }): string {
  const { loneOthers, strangers } = permission.reach;
  const [who, how]: readonly [readonly CanonicalAddress[], string] =
    loneOthers.length > 0 ? [loneOthers, ""] : [strangers, " together"];
  const named = who.length === 0 ? "anybody" : `${keysText(weighed(permission.keys, who))}${who.length > 1 ? how : ""}`;
  return `${named}, by a threshold of ${permission.threshold},`;
}
