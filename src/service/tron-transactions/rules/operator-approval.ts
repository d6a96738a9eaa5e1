import type { TronFacts } from "../facts.ts";
import type { TronRule } from "./rule.ts";

/** T10: an operator may take every item of a collection. */
export const operatorApproval: TronRule = (facts) =>
  isOperatorNamed(facts) && facts.counterparty?.isService === false
    ? `lets ${facts.counterparty.address}, of whom nothing is known, take every item you have in this collection`
    : undefined;

/** True when setApprovalForAll grants the right. False when it revokes the right. */
export function isOperatorNamed({ call, counterparty }: TronFacts): boolean {
  return call?.is === "token" && call.call.does === "approve_all" && counterparty?.role === "spender";
}
