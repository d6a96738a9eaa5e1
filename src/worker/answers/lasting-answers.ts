import type { CheckEntry } from "../../messages/verdict.ts";
import type { PolicyTable } from "../../policy/policy.ts";
import { decide } from "../decide/decide.ts";
import type { Plan } from "../plan/question.ts";

/**
 * What of its answers an event may pass by: not a '0' about poisoning that a ticket brings, or a verdict of an earlier run.
 * It may have been pooled, and nobody knows here whether a canary has fallen silent since. It is taken out only where the
 * event would pass by it: no request is due to one that is BLOCK or UNKNOWN anyway. A '1' stands: it was found without strangers.
 */
export function lastingAnswers(
  checks: readonly CheckEntry[],
  brought: readonly CheckEntry[],
  { subject, requiredChecks, settled }: Pick<Plan, "subject" | "requiredChecks" | "settled">,
  table: PolicyTable,
): readonly CheckEntry[] {
  // Of several parts a '1' may be about one, and the policy think little of it.
  const clears = (entry: CheckEntry) =>
    decide({ subject, requiredChecks: [], checks: [entry] }, table).decision === "ALLOW";
  const lasting = checks.filter((entry) => !(entry.check === "poisoning" && brought.includes(entry) && clears(entry)));
  if (lasting.length === checks.length) return checks;
  const { decision } = decide({ subject, requiredChecks, checks: [...settled, ...checks] }, table);
  return decision === "ALLOW" || decision === "WARN" ? lasting : checks;
}
