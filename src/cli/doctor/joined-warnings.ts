import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";

/**
 * Joins equal warnings about different subjects, such as topics with one replica, into one at the position of the
 * first. A failure stays separate.
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
