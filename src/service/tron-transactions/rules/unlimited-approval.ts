import { approvalIn } from "./approval.ts";
import type { TronRule } from "./rule.ts";

/** T9: who may spend without limit takes all that is there, and all that ever comes. Unknown: no labelled service. */
export const unlimitedApproval: TronRule = (facts) => {
  const approval = approvalIn(facts);
  if (approval === undefined || approval.toService || !approval.isEverything) return undefined;
  return `lets ${approval.spender}, of whom nothing is known, take all your tokens of this kind at any time`;
};
