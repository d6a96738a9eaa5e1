import { emptyBook } from "../../labels/address-book.ts";
import type { Check } from "../../messages/checks.ts";
import type { Decision } from "../../messages/decision.ts";
import { type CheckEntry, lacksEvidence, type Reason, type Verdict } from "../../messages/verdict.ts";
import type { PolicyTable } from "../../policy/policy.ts";
import { plan } from "../plan/plan.ts";
import type { Plan, Question } from "../plan/question.ts";
import { decide } from "./decide.ts";
import { missingChecks, transactionKinds } from "./missing-checks.ts";

/** The fields of a verdict that a decision under another policy reads. */
type Decided = Pick<Verdict, "subject" | "required_checks" | "checks" | "reduced">;

/** A decision on the evidence of a verdict, under a policy that did not make the verdict. */
export interface DecisionUnder {
  readonly decision: Decision;
  readonly reasons: readonly Reason[];
  /** Checks that the policy requires and the evidence lacks. The decision leaves them out. */
  readonly lacks: readonly Check[];
  /** Whether no check was answered, since the evidence lacks some: then nothing is decided. */
  readonly isOpen: boolean;
}

const NONE: readonly never[] = [];

/**
 * Decides a verdict again as if `policy` had been in force. Checks that the event itself added stay required. A check
 * that only the old policy required is left out with its evidence, since it would not have been made.
 *
 * @param old The policy that made the verdict. Undefined when its table is not available: then no check is left out.
 * @returns undefined for a verdict that was too large to keep its evidence.
 */
export function decideUnder(
  verdict: Decided,
  policy: PolicyTable,
  old: PolicyTable | undefined,
): DecisionUnder | undefined {
  if (lacksEvidence(verdict)) return undefined;
  const { subject, checks } = verdict;
  const owed = missingChecks(verdict, policy);
  const required = withEventChecks(owed, verdict, old);
  const kept =
    old === undefined ? checks : checks.filter((entry) => isMadeUnder(entry, verdict, policy, old, required));
  const absent = required.filter((check) => !kept.some((entry) => entry.check === check));
  if (absent.length === 0)
    return { ...decide({ subject, requiredChecks: required, checks: kept }, policy), lacks: NONE, isOpen: false };
  // A check that no service can make is settled without a request.
  const settled = planAgain(verdict, policy)?.settled.filter(isOneOf(absent));
  const all = [...kept, ...(settled ?? NONE)];
  const lacks = absent.filter((check) => !all.some((entry) => entry.check === check));
  const made = required.filter((check) => !lacks.includes(check));
  const decided = decide({ subject, requiredChecks: made, checks: all }, policy);
  const isOpen = lacks.length > 0 && decided.reasons.some(({ finding }) => finding === "nothing_checked");
  return { ...decided, lacks, isOpen };
}

/** The questions to the service that would bring the evidence of `lacks`. A verdict does not hold its transaction. */
export function lackedQuestions(verdict: Decided, lacks: readonly Check[], policy: PolicyTable): readonly Question[] {
  if (lacks.length === 0) return NONE;
  return planAgain(verdict, policy)?.questions.filter(({ check }) => lacks.includes(check)) ?? NONE;
}

/** Whether an entry is of one of `absent`. The labels of that time are gone, so a payment cannot be judged again. */
function isOneOf(absent: readonly Check[]): (entry: CheckEntry) => boolean {
  return ({ check }) => check !== "event" && check !== "payment" && absent.includes(check);
}

/** The plan of an address, without the labels of that time. Undefined for another subject. */
function planAgain({ subject }: Decided, policy: PolicyTable): Plan | undefined {
  return subject.type === "address" ? plan(subject, policy, emptyBook) : undefined;
}

function withEventChecks(owed: readonly Check[], verdict: Decided, old: PolicyTable | undefined): readonly Check[] {
  const { required_checks: given } = verdict;
  if (given.every((check) => owed.includes(check))) return owed;
  const byPolicy = old === undefined ? NONE : possibleChecks(verdict, old);
  return [...new Set([...owed, ...given.filter((check) => !byPolicy.includes(check))])];
}

function isMadeUnder(
  { check }: CheckEntry,
  verdict: Decided,
  policy: PolicyTable,
  old: PolicyTable,
  required: readonly Check[],
): boolean {
  if (check === "event" || required.includes(check)) return true;
  if (!possibleChecks(verdict, old).includes(check)) return true;
  return possibleChecks(verdict, policy).includes(check);
}

/** Every check that a policy may require for the subject. The calldata, which a verdict lacks, selects among them. */
function possibleChecks({ subject }: Decided, policy: PolicyTable): readonly Check[] {
  if (subject.type === "unreadable") return NONE;
  if (subject.type === "address") {
    const { address, address_with_token } = policy.required_checks;
    return subject.token_address === undefined ? address : address_with_token;
  }
  return transactionKinds(subject.chain_id).flatMap((kind) => policy.required_checks[kind]);
}
