import { type CanonicalAddress, parseAddress } from "../../../src/chains/address.ts";
import { formatOf } from "../../../src/chains/address-format.ts";
import type { Chain } from "../../../src/chains/chain.ts";
import { lookalike, overlap } from "../../../src/chains/lookalike.ts";
import { findChain } from "../../../src/chains/registry.ts";

/** An address on a chain, in the form of a reference service. */
export interface Place {
  readonly chain: Chain;
  readonly address: CanonicalAddress;
}

/**
 * The rule of a reference service. It is created for the users of one request, and called for each target and token.
 */
export interface Rule {
  readonly imitatesUser: (users: readonly Place[]) => (asked: Place) => boolean;
  /** Whether a target that imitates a user raises is_poisoning only, and mimics_user stays '0'. */
  readonly isSilentOnUsers?: boolean;
  /** Addresses that are poisoning by themselves, for any users. */
  readonly lists?: (asked: Place) => boolean;
  /**
   * Whether an imitation of a user, beside others in a request, is reported as poisoning only. Canaries are excluded.
   */
  readonly isSilentOn?: (asked: Place, users: readonly Place[]) => boolean;
  /** Whether a target that imitates a user is reported as mimicking an exchange. */
  readonly callsUsersExchanges?: boolean;
  /** Whether tokens are compared with users, too. */
  readonly judgesTokens?: boolean;
  /** The id of a chain without a backend: each item on the chain is refused, and no other item is. */
  readonly refuses?: string;
  /** Whether the target at index `at` of `of` is compared with users. Without it, each target is. */
  readonly judgesTargetAt?: (at: number, of: number) => boolean;
}

/** @throws Error for an invalid address: no unchecked address may reach a service. */
export function placeOf({
  chain_id,
  address,
}: {
  readonly chain_id: string | number;
  readonly address: string;
}): Place {
  const chain = findChain(String(chain_id));
  if (chain === undefined) throw new Error(`asked about an unknown chain: ${chain_id}`);
  const parsed = parseAddress(chain.family, address);
  if (!parsed.ok) throw new Error(`asked about what is no address: ${parsed.detail}`);
  return { chain, address: parsed.value };
}

export function isSameFamily(a: Place, b: Place): boolean {
  return a.chain.family === b.chain.family;
}

/** Whether one address looks like the other, on any chains, with `more` equal characters beyond the requirement. */
export function resembles(a: Place, b: Place, more = 0): boolean {
  if (!isSameFamily(a, b)) return false;
  const { family } = a.chain;
  const found = lookalike(family, a.address, b.address);
  if (found === undefined || more === 0) return found !== undefined;
  const needed = Math.min(...formatOf(family, a.address).shapes.map(({ prefix, suffix }) => prefix + suffix));
  return found.prefix + found.suffix >= needed + more;
}

/** Whether the addresses would be lookalikes by a shape with one character less in front. */
export function resemblesLoosely(a: Place, b: Place): boolean {
  if (!isSameFamily(a, b) || a.address === b.address) return false;
  const { family } = a.chain;
  const shared = overlap(family, a.address, b.address);
  const holds = ({ prefix, suffix }: { prefix: number; suffix: number }) =>
    shared.prefix >= prefix - 1 && shared.suffix >= suffix;
  return formatOf(family, a.address).shapes.some(holds) || resembles(a, b);
}
