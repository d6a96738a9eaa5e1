import type { DecidedAgain } from "../../archive/audit/audit-finding.ts";
import { lacksEvidence, type Verdict } from "../../messages/verdict.ts";
import type { PolicyChoice } from "../../policy/policy.ts";
import { decide } from "../../worker/decide/decide.ts";
import { missingChecks } from "../../worker/decide/missing-checks.ts";

/**
 * Decides a verdict again from its own evidence, under the policy with the hash in the verdict. It also returns the
 * checks of that policy that the verdict lacks.
 *
 * @returns undefined when none of these files has that policy. The decision is missing for a verdict that was too large
 * to keep its evidence.
 */
export function redecide(verdict: Verdict, choices: readonly PolicyChoice[]): DecidedAgain | undefined {
  const { tenant, policy, subject, required_checks, checks } = verdict;
  for (const choice of choices) {
    const { sha256, table } = choice(tenant === "" ? undefined : tenant);
    if (sha256 !== policy.sha256) continue;
    if (lacksEvidence(verdict)) return { decision: undefined, missing: [] };
    const owed = missingChecks(verdict, table);
    const requiredChecks = [...new Set([...required_checks, ...owed])];
    const made = checks.filter(({ outcome }) => outcome !== "not_applicable");
    const { decision } = decide({ subject, requiredChecks, checks }, table);
    return { decision, missing: owed.filter((each) => !made.some(({ check }) => check === each)) };
  }
  return undefined;
}
