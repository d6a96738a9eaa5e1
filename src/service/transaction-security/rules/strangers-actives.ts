import type { Facts } from "../facts.ts";
import type { AnalysedActive } from "../permission-analysis.ts";

/** Active permissions that let others do without the user what they might not do before. */
export function strangersActives({ permissions }: Facts): readonly AnalysedActive[] {
  return (permissions?.actives ?? []).filter(({ gained }) => gained.length > 0);
}

/** Who they are, for the user. */
export function strangersIn(active: AnalysedActive): string {
  const { loneOthers, strangers } = active.reach;
  return (loneOthers.length > 0 ? loneOthers.join(", ") : strangers.join(" and ")) || "anybody";
}
