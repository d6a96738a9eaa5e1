import { approvalIn } from "./approval.ts";
import type { TronRule } from "./rule.ts";

/** T9: no exchange spends from a wallet. A wallet that asks for the whole balance belongs to a thief. */
export const spenderIsWallet: TronRule = (facts) => {
  const approval = approvalIn(facts);
  const spender = facts.chain?.counterparty;
  if (approval === undefined || !approval.isEverything || approval.toService || spender === undefined) return undefined;
  if (spender !== "not activated" && spender.isContract) return undefined;
  return `lets ${approval.spender}, which is no contract but somebody's wallet, take all your tokens of this kind`;
};
