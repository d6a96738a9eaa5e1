import type { Check } from "../../messages/checks.ts";
import type { CheckEntry } from "../../messages/verdict.ts";

/** The distinct checks that the policy requires or the event adds. */
export function union(required: readonly Check[], added: readonly Check[]): readonly Check[] {
  if (added.length === 0 && required.length < 2) return required;
  return [...new Set([...required, ...added])];
}

/**
 * Removes required checks that do not apply. Only the plan may do this: a decision would treat them as missing checks.
 */
export function applicable(required: readonly Check[], settled: readonly CheckEntry[]): readonly Check[] {
  if (settled.length === 0) return required;
  return required.filter(
    (check) => !settled.some((entry) => entry.check === check && entry.outcome === "not_applicable"),
  );
}
