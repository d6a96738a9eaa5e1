import type { CanonicalAddress } from "../address.ts";
import type { EvmAct } from "./act.ts";
import { ZERO_ADDRESS } from "./calls/token-calls.ts";
import type { EvmReading } from "./read-transaction.ts";

/** An address that gains by a transaction or is called by it, and the token contract that is concerned. */
export interface EvmParty {
  readonly target: CanonicalAddress;
  readonly token: CanonicalAddress | undefined;
}

/**
 * Every gaining address, once per token, and every other contract that the calls run or name. A revocation names only
 * the contract. Otherwise a listed spender would block the revocation of its own right.
 */
export function counterpartiesOf({ acts, contracts, tokens: traded, mentions }: EvmReading): readonly EvmParty[] {
  const parties = new Map<string, EvmParty>();
  const add = (target: CanonicalAddress, token?: CanonicalAddress) =>
    parties.set(`${target} ${token ?? ""}`, { target, token });
  const tokens = new Set([...acts.flatMap(tokenOf), ...traded]);
  for (const act of acts) {
    const gains = gainerBy(act);
    if (gains !== undefined && gains !== ZERO_ADDRESS) add(gains, tokenOf(act)[0]);
  }
  const named = new Set([...parties.values()].flatMap(({ target, token }) => [target, token]));
  for (const contract of [...contracts, ...tokens, ...mentions]) {
    if (!named.has(contract)) add(contract, tokens.has(contract) ? contract : undefined);
    named.add(contract);
  }
  return [...parties.values()];
}

/** The address that receives an asset or a right by the act. */
export function gainerBy(act: EvmAct): CanonicalAddress | undefined {
  switch (act.does) {
    case "pay":
    case "transfer":
    case "refund":
    case "pay_out":
    case "hand_over":
    case "give_ownership":
    case "add_module":
    case "delegate":
      return act.to;
    case "approve":
    case "approve_all":
      return act.spender;
    case "pay_abroad":
    case "weaken":
    case "revoke":
      return undefined;
  }
}

/** The token contract of an act, if there is one. */
export function tokenOf(act: EvmAct): readonly CanonicalAddress[] {
  return "token" in act && act.token !== undefined ? [act.token] : [];
}
