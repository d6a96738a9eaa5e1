import type { EvmAct } from "../../../chains/evm/act.ts";
import type { EvmFacts } from "../facts.ts";

/** What a rule says to the user about a transaction; undefined when it has nothing to say. */
export type EvmRule = (facts: EvmFacts) => string | undefined;

export type EvmApproval = Extract<EvmAct, { does: "approve" }>;

/** No token has so many units. Source: the rules of TRON transactions. */
const UNLIMITED = 2n ** 112n - 1n;

export function isUnlimited({ amount }: EvmApproval): boolean {
  return amount >= UNLIMITED;
}

/** The approvals of tokens that a transaction gives. */
export function approvalsIn({ does }: EvmFacts): readonly EvmApproval[] {
  return does.acts.filter((act) => act.does === "approve");
}
