import type { Instruction } from "../acts/act.ts";
import { actsOf } from "../acts/acts-of.ts";

export interface DurableNonce {
  readonly account: string;
  readonly description: string;
}

/**
 * A transaction that begins by advancing a durable nonce stays valid until the nonce is used. The holder of the
 * transaction chooses the time of its execution, and thereby the state that it meets. Only the first instruction has
 * this effect. Source: Solana, "Durable transaction nonces".
 */
export function durableNonce([first]: readonly Instruction[]): DurableNonce | undefined {
  const act = first === undefined ? undefined : actsOf(first).find(({ kind }) => kind === "nonce_advance");
  if (act === undefined) return undefined;
  const description = `stays valid without an end: it uses the durable nonce ${act.account} in place of a recent blockhash`;
  return { account: act.account, description };
}
