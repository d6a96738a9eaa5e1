import type { PolicyChoice } from "../../policy/policy.ts";

/** Names of findings that the policy knows. Any other name of a service counts as "other". */
export function policyFindings(choice: PolicyChoice): readonly string[] {
  return Object.values(choice(undefined).table.findings).flatMap((rows) => Object.keys(rows));
}
