import { type CanonicalAddress, canonicalAddressOn } from "../../../chains/address.ts";
import { readAddressOn } from "../../../chains/address-advice.ts";
import type { Chain } from "../../../chains/chain.ts";
import type { FailureCode } from "../../../messages/verdict.ts";

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
  chain: Chain,
): { readonly users: readonly CanonicalAddress[]; readonly omits?: Omission } {
  // Nearly always there is one, spelled as it should be: then the event's own list is this one, too.
  const only = texts.length === 1 ? canonicalAddressOn(chain, texts[0] ?? "") : undefined;
  if (only !== undefined) return { users: only === texts[0] ? (texts as readonly CanonicalAddress[]) : [only] };
  const users: CanonicalAddress[] = [];
  let omits: Omission | undefined;
  for (let i = 0; i < texts.length; i++) {
    const user = readAddressOn(chain, texts[i] ?? "");
    if (user.ok) users.push(user.value);
    else omits ??= { code: "USER_ADDRESS_INVALID", detail: `user_addresses[${i}]: ${user.detail}` };
  }
  const each = users.length < 2 ? users : [...new Set(users)];
  return omits === undefined ? { users: each } : { users: each, omits };
}
