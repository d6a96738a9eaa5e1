import { durableNonce } from "../../../chains/solana/rules/durable-nonce.ts";
import type { SolanaRule } from "./facts.ts";

/** The transaction stays valid until its nonce is used, so it may be sent at any time. */
export const delayFindings: SolanaRule = ({ calls }) => {
  const nonce = durableNonce(calls);
  return nonce === undefined ? [] : [{ name: "durable_nonce", ...nonce }];
};
