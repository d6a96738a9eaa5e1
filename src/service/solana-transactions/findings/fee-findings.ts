import { highFee } from "../../../chains/solana/rules/priority-fee.ts";
import type { Finds } from "./facts.ts";

/** The priority fee, which goes to the producer of the block. */
export const feeFindings: Finds = ({ calls, feePayer }) => {
  const description = highFee(calls.filter(({ isInner }) => !isInner));
  return description === undefined ? [] : [{ name: "fee_high", account: feePayer, description }];
};
