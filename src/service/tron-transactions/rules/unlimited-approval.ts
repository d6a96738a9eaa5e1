import { approvalIn } from "./approval.ts";
import type { TronRule } from "./rule.ts";

/**
 * T9: a spender without limit can take all present and future tokens. Only spenders that are no labelled service count.
 */
export const unlimitedApproval: TronRule = (facts) => {
  const approval = approvalIn(facts);
  if (approval === undefined || approval.toService || !approval.isEverything) return undefined;
  return `lets ${approval.spender}, of whom nothing is known, take all your tokens of this kind at any time`;
};
