import { highFee } from "../../../chains/solana/rules/priority-fee.ts";
import type { SolanaRule } from "./facts.ts";

/** Reports a high priority fee, which goes to the producer of the block. */
export const feeFindings: SolanaRule = ({ calls, feePayer }) => {
  const description = highFee(calls.filter(({ isInner }) => !isInner));
  return description === undefined ? [] : [{ name: "fee_high", account: feePayer, description }];
};
