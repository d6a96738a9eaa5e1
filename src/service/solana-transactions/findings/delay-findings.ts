import { durableNonce } from "../../../chains/solana/rules/durable-nonce.ts";
import type { SolanaRule } from "./facts.ts";

/**
 * A transaction with a durable nonce stays valid until the nonce is used. It may therefore be sent at any later time.
 */
export const delayFindings: SolanaRule = ({ calls }) => {
  const nonce = durableNonce(calls);
  return nonce === undefined ? [] : [{ name: "durable_nonce", ...nonce }];
};
