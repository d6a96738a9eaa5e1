import type { PolicyChoice } from "../events/policy.ts";
import type { Verdict } from "../events/verdict.ts";
import { decide } from "../worker/decide.ts";

/**
 * The decision that a verdict's own evidence gives under the very policy that decided it, as its hash says.
 *
 * @returns undefined when that policy is in none of these files.
 */
export function decidedAgain(
  { tenant, policy, subject, required_checks, checks }: Verdict,
  choices: readonly PolicyChoice[],
): Verdict["decision"] | undefined {
  for (const choice of choices) {
    const { sha256, table } = choice(tenant === "" ? undefined : tenant);
    if (sha256 === policy.sha256) return decide({ subject, requiredChecks: required_checks, checks }, table).decision;
  }
  return undefined;
}
