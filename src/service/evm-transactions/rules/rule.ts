import type { EvmAct } from "../../../chains/evm/act.ts";
import type { Facts } from "../facts.ts";

/** What a rule says to the user about a transaction; undefined when it has nothing to say. */
export type Finds = (facts: Facts) => string | undefined;

export type Approval = Extract<EvmAct, { does: "approve" }>;

/** No token has so many units. Source: the rules of TRON transactions. */
const UNLIMITED = 2n ** 112n - 1n;

export function isUnlimited({ amount }: Approval): boolean {
  return amount >= UNLIMITED;
}

/** The approvals of tokens that a transaction gives. */
export function approvalsIn({ does }: Facts): readonly Approval[] {
  return does.acts.filter((act) => act.does === "approve");
}
