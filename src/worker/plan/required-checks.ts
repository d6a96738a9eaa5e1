import type { Check } from "../../messages/checks.ts";
import type { CheckEntry } from "../../messages/verdict.ts";

/** What a policy requires and an event adds, each once. */
export function union(required: readonly Check[], added: readonly Check[]): readonly Check[] {
  if (added.length === 0 && required.length < 2) return required;
  return [...new Set([...required, ...added])];
}

/** Only the plan may say that a required check does not apply; to a decision it would be a check that is missing. */
export function applicable(required: readonly Check[], settled: readonly CheckEntry[]): readonly Check[] {
  if (settled.length === 0) return required;
  return required.filter(
    (check) => !settled.some((entry) => entry.check === check && entry.outcome === "not_applicable"),
  );
}
