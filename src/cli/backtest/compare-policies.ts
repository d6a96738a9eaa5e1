import type { Compared } from "../../archive/backtest/backtest.ts";
import type { Verdict } from "../../messages/verdict.ts";
import type { PastPolicy } from "../../policy/old-policy.ts";
import type { PolicyChoice, PolicyTable } from "../../policy/policy.ts";
import { decideUnder, lackedQuestions } from "../../worker/decide/decide-under.ts";
import type { RequestEstimate } from "../../worker/estimate/request-estimate.ts";

/** The policies of a backtest. */
export interface ComparedPolicies {
  readonly after: PolicyChoice;
  /** Undefined: each verdict's own decision stands for the old policy. */
  readonly before: PolicyChoice | undefined;
  /** The tables that made the verdicts, by hash. */
  readonly past: ReadonlyMap<string, PastPolicy>;
}

/** Compares the decisions of two policies on one verdict, and counts the requests for evidence that is missing. */
export function comparePolicies(
  { after, before, past }: ComparedPolicies,
  estimate: Pick<RequestEstimate, "ask">,
): (verdict: Verdict) => Compared | undefined {
  return (verdict) => {
    const tenant = verdict.tenant === "" ? undefined : verdict.tenant;
    const made = past.get(verdict.policy.sha256)?.table;
    const { table } = after(tenant);
    const decided = decideUnder(verdict, table, made);
    if (decided === undefined) return undefined;
    for (const question of lackedQuestions(verdict, decided.lacks, table)) estimate.ask(question);
    const earlier = before === undefined ? verdict : decidedBefore(verdict, before(tenant).table, made);
    return { before: earlier, after: decided, lacks: decided.lacks, isOpen: decided.isOpen };
  };
}

function decidedBefore(verdict: Verdict, table: PolicyTable, made: PolicyTable | undefined): Compared["before"] {
  // The evidence is there, since the new policy decided on it.
  return decideUnder(verdict, table, made) ?? verdict;
}
