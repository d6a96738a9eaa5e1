import { actsOf } from "../../../chains/solana/acts-of.ts";
import type { Finds } from "./facts.ts";

/**
 * A transaction that begins by advancing a durable nonce stays valid until the nonce is used: whoever has it chooses when
 * it runs, and what it then finds. Only the first instruction makes it one. Source: Solana, "Durable transaction nonces".
 */
export const delayFindings: Finds = ({ calls: [first] }) => {
  const act = first === undefined ? undefined : actsOf(first).find(({ kind }) => kind === "nonce_advance");
  if (act === undefined) return [];
  const description = `stays valid without an end: it uses the durable nonce ${act.account} in place of a recent blockhash`;
  return [{ name: "durable_nonce", account: act.account, description }];
};
