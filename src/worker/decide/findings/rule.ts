import type { Check } from "../../../messages/checks.ts";
import type { Severity } from "../../../messages/decision.ts";
import { type EvidenceOf, readEvidence } from "../../../messages/evidence.ts";
import type { Subject } from "../../../messages/verdict.ts";
import type { PolicyTable } from "../../../policy/policy.ts";

/** A reason without its check. */
export interface Finding {
  readonly finding: string;
  readonly severity: Severity;
  readonly detail: string;
  readonly resembles?: string;
}

export interface Context {
  readonly subject: Subject;
  readonly table: PolicyTable;
  /** Addresses that an operator's list allows and no list accuses. */
  readonly allowed?: ReadonlySet<string>;
}

/** Turns the evidence of one check into findings. Empty: no finding. Undefined: the evidence cannot be read. */
export type Rule = (data: unknown, context: Context) => readonly Finding[] | undefined;

/** A rule over evidence that the schema of `check` has parsed. */
export function ruleFor<C extends Check>(
  check: C,
  findings: (data: EvidenceOf<C>, context: Context) => readonly Finding[],
): Rule {
  return (data, context) => {
    const read = readEvidence(check, data);
    return read === undefined ? undefined : findings(read, context);
  };
}
