import { durableNonce } from "../../../chains/solana/rules/durable-nonce.ts";
import type { Finds } from "./facts.ts";

/** Whether somebody may send the transaction whenever he likes. */
export const delayFindings: Finds = ({ calls }) => {
  const nonce = durableNonce(calls);
  return nonce === undefined ? [] : [{ name: "durable_nonce", ...nonce }];
};
