import { isOperatorNamed } from "./operator-approval.ts";
import type { TronRule } from "./rule.ts";

/** Marketplaces ask for this approval before a sale. */
export const operatorApprovalToService: TronRule = (facts) =>
  isOperatorNamed(facts) && facts.counterparty?.isService === true
    ? `lets the labelled service ${facts.counterparty.address} take every item you have in this collection`
    : undefined;
