import { type CanonicalAddress, parseAddress } from "../chains/address.ts";
import type { Chain } from "../chains/chain.ts";
import type { FailureCode } from "../events/verdict.ts";

/** What an event names and no service can be asked about. Its check fails by it, whatever the rest is answered. */
export interface Omission {
  readonly code: FailureCode;
  readonly detail: string;
}

/**
 * The addresses that an event says its user knows, each once, and the first that cannot be one. The others are compared
 * all the same: an imitation of one of them is certain, whatever the impossible one was meant to be.
 */
export function namedUsers(
  texts: readonly string[],
  { family }: Chain,
): { readonly users: readonly CanonicalAddress[]; readonly omits?: Omission } {
  const users = new Set<CanonicalAddress>();
  let omits: Omission | undefined;
  for (const [i, text] of texts.entries()) {
    const user = parseAddress(family, text);
    if (user.ok) users.add(user.value);
    else omits ??= { code: "USER_ADDRESS_INVALID", detail: `user_addresses[${i}]: ${user.detail}` };
  }
  return { users: [...users], ...(omits === undefined ? {} : { omits }) };
}
