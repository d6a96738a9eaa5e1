import type { EvmAct } from "../../../chains/evm/act.ts";
import type { ScoredRule } from "../../rules/rule-engine.ts";
import type { EvmFacts } from "../facts.ts";

/** Returns the rule's text for the user. Undefined when the rule does not fire. */
export type EvmRule = ScoredRule<EvmFacts>["finds"];

export type EvmApproval = Extract<EvmAct, { does: "approve" }>;

/**
 * An amount of this size counts as unlimited, because no token has as many units. Source:
 * src/chains/tron/calls/payout.ts, UNBOUNDED.
 */
const UNLIMITED = 2n ** 112n - 1n;

export function isUnlimited({ amount }: EvmApproval): boolean {
  return amount >= UNLIMITED;
}

/** The token approvals that a transaction gives. */
export function approvalsIn({ does }: EvmFacts): readonly EvmApproval[] {
  return does.acts.filter((act) => act.does === "approve");
}
