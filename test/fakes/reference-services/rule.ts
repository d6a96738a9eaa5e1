import { type CanonicalAddress, parseAddress } from "../../../src/chains/address.ts";
import { formatOf } from "../../../src/chains/address-format.ts";
import type { Chain } from "../../../src/chains/chain.ts";
import { lookalike, overlap } from "../../../src/chains/lookalike.ts";
import { findChain } from "../../../src/chains/registry.ts";

/** An address on a chain, as a reference service sees it. */
export interface Place {
  readonly chain: Chain;
  readonly address: CanonicalAddress;
}

/** How a reference service judges: made for the users of one request, asked about each target and token of it. */
export interface Rule {
  readonly imitatesUser: (users: readonly Place[]) => (asked: Place) => boolean;
  /** Whether a target that imitates a user raises is_poisoning only, and mimics_user stays '0'. */
  readonly isSilentOnUsers?: boolean;
  /** What is poisoning by itself, whatever the users are. */
  readonly lists?: (asked: Place) => boolean;
  /** Whether an imitation of a user, beside others in a request, is called poisoning only; the canaries are not among them. */
  readonly isSilentOn?: (asked: Place, users: readonly Place[]) => boolean;
  /** Whether a target that imitates a user is said to mimic an exchange. */
  readonly callsUsersExchanges?: boolean;
  /** Whether tokens are compared with users, too. */
  readonly judgesTokens?: boolean;
  /** The id of a chain that it has no backend for: each item on it is refused, and nothing else is. */
  readonly refuses?: string;
  /** Whether the target at a place of so many is compared with users at all; where it is not said, each is. */
  readonly judgesTargetAt?: (at: number, of: number) => boolean;
}

/** @throws Error for what is no address: nothing that was not checked may reach a service. */
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

/** Whether one can be taken for the other, whatever their chains; with so many equal characters more than it takes. */
export function resembles(a: Place, b: Place, more = 0): boolean {
  if (!isSameFamily(a, b)) return false;
  const { family } = a.chain;
  const found = lookalike(family, a.address, b.address);
  if (found === undefined || more === 0) return found !== undefined;
  const needed = Math.min(...formatOf(family, a.address).shapes.map(({ prefix, suffix }) => prefix + suffix));
  return found.prefix + found.suffix >= needed + more;
}

/** Whether a shape would make them alike that has a character less in front. */
export function resemblesLoosely(a: Place, b: Place): boolean {
  if (!isSameFamily(a, b) || a.address === b.address) return false;
  const { family } = a.chain;
  const shared = overlap(family, a.address, b.address);
  const holds = ({ prefix, suffix }: { prefix: number; suffix: number }) =>
    shared.prefix >= prefix - 1 && shared.suffix >= suffix;
  return formatOf(family, a.address).shapes.some(holds) || resembles(a, b);
}
