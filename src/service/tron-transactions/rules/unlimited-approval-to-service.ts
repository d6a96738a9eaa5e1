import { approvalIn } from "./approval.ts";
import type { TronRule } from "./rule.ts";

/** Unlimited approvals of services are usual, but allow more than a single use needs. */
export const unlimitedApprovalToService: TronRule = (facts) => {
  const approval = approvalIn(facts);
  if (approval === undefined || !approval.toService || !approval.isEverything) return undefined;
  return `lets the labelled service ${approval.spender} take all your tokens of this kind at any time`;
};
