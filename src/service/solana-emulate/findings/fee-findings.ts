import { highFee } from "../../../chains/solana/rules/priority-fee.ts";
import type { Finds } from "./facts.ts";

/** What whoever produces the block gets for serving it first. */
export const feeFindings: Finds = ({ calls, feePayer }) => {
  const description = highFee(calls.filter(({ isInner }) => !isInner));
  return description === undefined ? [] : [{ name: "fee_high", account: feePayer, description }];
};
