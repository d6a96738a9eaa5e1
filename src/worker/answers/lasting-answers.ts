import type { CheckEntry } from "../../messages/verdict.ts";
import type { PolicyTable } from "../../policy/policy.ts";
import { decide } from "../decide/decide.ts";
import type { Plan } from "../plan/question.ts";

/**
 * The answers on which an event may pass. A '0' about poisoning from a ticket or an earlier verdict is dropped. That
 * '0' may come from a batch, and this process does not know whether a canary has fallen silent since. It is dropped
 * only if the event would pass, because BLOCK and UNKNOWN need no further request. A '1' stays, because a request
 * without other users confirmed it.
 */
export function lastingAnswers(
  checks: readonly CheckEntry[],
  brought: readonly CheckEntry[],
  { subject, requiredChecks, settled }: Pick<Plan, "subject" | "requiredChecks" | "settled">,
  table: PolicyTable,
): readonly CheckEntry[] {
  // With several sub-questions a '1' may concern only one, and the policy may disregard it.
  const clears = (entry: CheckEntry) =>
    decide({ subject, requiredChecks: [], checks: [entry] }, table).decision === "ALLOW";
  const lasting = checks.filter((entry) => !(entry.check === "poisoning" && brought.includes(entry) && clears(entry)));
  if (lasting.length === checks.length) return checks;
  const { decision } = decide({ subject, requiredChecks, checks: [...settled, ...checks] }, table);
  return decision === "ALLOW" || decision === "WARN" ? lasting : checks;
}
