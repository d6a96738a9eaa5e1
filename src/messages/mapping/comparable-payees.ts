import type { CanonicalAddress } from "../../chains/address.ts";
import { parseAddress } from "../../chains/address.ts";
import { formatOf } from "../../chains/address-format.ts";
import { families } from "../../chains/chain.ts";

/** Chosen: the requests of a service stay small, and most wallets keep all payees. */
export const MANY_PAYEES = 200;
/** Characters at either end that any lookalike shares, beyond a constant prefix. */
const END = 2;
/** More differing characters than typing errors make. */
const MOST_DIFFERING = 8;

/**
 * The payees that an address can be mistaken for, of a wallet with many. Thousands of users in each event take a service
 * minutes for a few rows. Two addresses that share fewer than two characters at both ends are no lookalikes by any
 * measure, unless nearly all their characters are equal.
 *
 * @param address canonical. @param payees canonical.
 */
export function comparablePayees(address: string, payees: readonly string[]): readonly string[] {
  if (payees.length <= MANY_PAYEES) return payees;
  const family = families.find((each) => parseAddress(each, address).ok);
  if (family === undefined) return payees;
  const { constantPrefix } = formatOf(family, address as CanonicalAddress);
  const start = address.slice(constantPrefix, constantPrefix + END);
  const end = address.slice(-END);
  return payees.filter(
    (payee) => payee.startsWith(start, constantPrefix) || payee.endsWith(end) || differsInFew(address, payee),
  );
}

function differsInFew(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let differing = 0;
  for (let i = 0; i < a.length; i++)
    if (a.charCodeAt(i) !== b.charCodeAt(i) && ++differing > MOST_DIFFERING) return false;
  return true;
}
