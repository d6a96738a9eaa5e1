import type { Check } from "../../../messages/checks.ts";
import type { Severity } from "../../../messages/decision.ts";
import { type EvidenceOf, readEvidence } from "../../../messages/evidence.ts";
import type { Subject } from "../../../messages/verdict.ts";
import type { PolicyTable } from "../../../policy/policy.ts";

/** What fired: a reason that does not know its check yet. */
export interface Finding {
  readonly finding: string;
  readonly severity: Severity;
  readonly detail: string;
  readonly resembles?: string;
}

export interface Context {
  readonly subject: Subject;
  readonly table: PolicyTable;
  /** Addresses that an operator's own list allows and that no list accuses. */
  readonly allowed?: ReadonlySet<string>;
}

/** From the evidence of one check to what it means. Empty: nothing fired. Undefined: the evidence cannot be read. */
export type Rule = (data: unknown, context: Context) => readonly Finding[] | undefined;

/** A rule over evidence that `check`'s own schema reads first. */
export function ruleFor<C extends Check>(
  check: C,
  findings: (data: EvidenceOf<C>, context: Context) => readonly Finding[],
): Rule {
  return (data, context) => {
    const read = readEvidence(check, data);
    return read === undefined ? undefined : findings(read, context);
  };
}
