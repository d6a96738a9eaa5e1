import { approvalIn } from "./approval.ts";
import type { TronRule } from "./rule.ts";

/** T9: a limited allowance for an unknown spender. */
export const limitedApproval: TronRule = (facts) => {
  const approval = approvalIn(facts);
  if (approval === undefined || approval.toService || approval.isEverything) return undefined;
  return `lets ${approval.spender}, of whom nothing is known, take some of your tokens at any time`;
};
