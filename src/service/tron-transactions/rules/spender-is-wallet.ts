import { approvalIn } from "./approval.ts";
import type { TronRule } from "./rule.ts";

/** T9: no exchange is a wallet. Whoever asks for everything and has a key of his own is a thief. */
export const spenderIsWallet: TronRule = (facts) => {
  const approval = approvalIn(facts);
  const spender = facts.chain?.counterparty;
  if (approval === undefined || !approval.isEverything || approval.toService || spender === undefined) return undefined;
  if (spender !== "not activated" && spender.isContract) return undefined;
  return `lets ${approval.spender}, which is no contract but somebody's wallet, take all your tokens of this kind`;
};
