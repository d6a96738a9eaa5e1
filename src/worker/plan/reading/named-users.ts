import { type CanonicalAddress, canonicalAddressOn } from "../../../chains/address.ts";
import { readAddressOn } from "../../../chains/address-advice.ts";
import type { Chain } from "../../../chains/chain.ts";
import type { FailureCode } from "../../../messages/verdict.ts";

/** An address of the event that cannot be sent to any service. Its check fails, whatever the other answers are. */
export interface Omission {
  readonly code: FailureCode;
  readonly detail: string;
}

/**
 * The distinct addresses that the user knows according to the event, and the first invalid address. The valid addresses
 * are compared all the same. An imitation of one is certain, whatever the invalid address means.
 */
export function namedUsers(
  texts: readonly string[],
  chain: Chain,
): { readonly users: readonly CanonicalAddress[]; readonly omits?: Omission } {
  // Nearly always there is one canonical address, and the event's own list is reused.
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
