import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";

/**
 * Checks with each warning once: where several are about different things and say the same, as of every topic that has
 * one replica, they are one, about all of them, in the place of the first. A failure stays as it is.
 */
export function joinedWarnings(checks: readonly CheckedItem[]): readonly CheckedItem[] {
  const joined: CheckedItem[] = [];
  for (const each of checks) {
    const at = each.ok === "warn" ? joined.findIndex((other) => saysTheSame(other, each)) : -1;
    const same = joined[at];
    if (same === undefined) joined.push(each);
    else joined[at] = { ...same, check: `${same.check}, ${each.check}` };
  }
  return joined;
}

function saysTheSame(a: CheckedItem, b: CheckedItem): boolean {
  return a.ok === b.ok && a.detail === b.detail && a.remedy === b.remedy;
}
