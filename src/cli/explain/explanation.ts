import type { VerdictMatch } from "../../archive/reading/find-verdicts.ts";
import type { Check } from "../../messages/checks.ts";
import type { Decision, Severity } from "../../messages/decision.ts";
import { lacksEvidence, type Verdict } from "../../messages/verdict.ts";
import { verdictRank } from "../../messages/verdict-rank.ts";
import type { PastPolicy } from "../../policy/old-policy.ts";
import { decide } from "../../worker/decide/decide.ts";
import { missingChecks } from "../../worker/decide/missing-checks.ts";

/** A policy row of a check that the verdict has, or that its policy requires. */
export interface ExplainedRow {
  readonly check: string;
  readonly finding: string;
  readonly severity: Severity;
  readonly fired: boolean;
}

/** Where a verdict lies, and whether its object is whole. */
export interface ObjectProof {
  readonly key: string;
  readonly line: number | undefined;
  readonly first_offset: number;
  readonly last_offset: number;
  readonly sha256: string;
  /** Whether the lines have the hash of the metadata. */
  readonly lines_match: boolean;
  /** The hash by which the next object and the group's commit name this object. */
  readonly chain_sha256: string;
  /** Whether the next object names that hash. Undefined for the newest object. */
  readonly named_by_next: boolean | undefined;
}

/** The decision that the evidence gives again under the policy of the time. */
export interface RepeatedDecision {
  readonly decision: Decision;
  readonly is_equal: boolean;
  /** Checks that the policy requires and the verdict lacks. */
  readonly missing_checks: readonly Check[];
}

/** All that an archive says about one verdict. */
export interface VerdictExplanation {
  readonly verdict: Verdict;
  /** The name of the file, or the object with its proof. */
  readonly found_in: string;
  readonly object: ObjectProof | undefined;
  /** Why the object was not looked at, or cannot be read. */
  readonly object_fault?: string;
  /** Every revision, latest first, this one too. */
  readonly revisions: readonly Pick<Verdict, "revision" | "decision" | "decided_at" | "unanswered">[];
  /** Whether the table of the policy is available. */
  readonly policy_known: boolean;
  readonly rows: readonly ExplainedRow[];
  /** Undefined where the policy is not available, or the verdict was too large to keep its evidence. */
  readonly decided_again: RepeatedDecision | undefined;
}

/** The one that counts of several revisions and copies. */
export function latestOf(found: readonly VerdictMatch[]): VerdictMatch | undefined {
  return found.toSorted((a, b) => verdictRank(b.verdict) - verdictRank(a.verdict))[0];
}

/** @param all Every revision of one verdict. */
export function explain(
  latest: VerdictMatch,
  all: readonly VerdictMatch[],
  past: ReadonlyMap<string, PastPolicy>,
  proof: ObjectProof | { readonly fault: string },
): VerdictExplanation {
  const { verdict, name } = latest;
  const policy = past.get(verdict.policy.sha256);
  const revisions = new Map(all.map(({ verdict: each }) => [`${each.revision} ${each.decision}`, each]));
  return {
    verdict,
    found_in: name,
    ...("fault" in proof ? { object: undefined, object_fault: proof.fault } : { object: proof }),
    revisions: [...revisions.values()]
      .map(({ revision, decision, decided_at, unanswered }) => {
        return { revision, decision, decided_at, ...(unanswered === undefined ? {} : { unanswered }) };
      })
      .sort((a, b) => verdictRank(b) - verdictRank(a)),
    policy_known: policy !== undefined,
    rows: policy === undefined ? [] : rowsOf(verdict, policy),
    decided_again: policy === undefined ? undefined : decidedAgain(verdict, policy),
  };
}

function rowsOf({ checks, required_checks, reasons }: Verdict, { table, rows }: PastPolicy): readonly ExplainedRow[] {
  const concerned = new Set<string>([...required_checks, ...checks.map(({ check }) => check)]);
  return Object.entries(table.findings).flatMap(([check, findings]) => {
    if (!concerned.has(check)) return [];
    return Object.entries(findings)
      .filter(([finding]) => rows.has(`${check}.${finding}`))
      .map(([finding, severity]) => {
        const fired = reasons.some((reason) => reason.check === check && reason.finding === finding);
        return { check, finding, severity, fired };
      });
  });
}

function decidedAgain(verdict: Verdict, { table }: PastPolicy): RepeatedDecision | undefined {
  if (lacksEvidence(verdict)) return undefined;
  const owed = missingChecks(verdict, table);
  const { subject, required_checks, checks } = verdict;
  const { decision } = decide({ subject, requiredChecks: [...new Set([...required_checks, ...owed])], checks }, table);
  const made = checks.filter(({ outcome }) => outcome !== "not_applicable");
  return {
    decision,
    is_equal: decision === verdict.decision,
    missing_checks: owed.filter((each) => !made.some(({ check }) => check === each)),
  };
}
