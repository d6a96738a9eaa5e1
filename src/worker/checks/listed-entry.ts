import { type CanonicalAddress, canonicalAddress } from "../../chains/address.ts";
import type { Chain, Family } from "../../chains/chain.ts";
import { type AddressBook, type ListedAddress, standings } from "../../labels/address-book.ts";
import type { Check } from "../../messages/checks.ts";
import { type ListedEvidence, readEvidence } from "../../messages/evidence.ts";
import type { CheckEntry } from "../../messages/verdict.ts";
import { answeredHere, failed } from "../answers/check-entry.ts";

/** Limit of matches in one verdict. Chosen: accusations come first, and one is enough. */
const MOST_MATCHES = 16;

/** The addresses of one event that are looked up in lists. */
export interface Parties {
  readonly chain: Chain;
  readonly addresses: readonly CanonicalAddress[];
  /** Addresses that the user knows, including the user's own. Only accusing matches count for them. */
  readonly users?: readonly CanonicalAddress[];
  /** Calldata and messages, which may contain addresses at any byte. */
  readonly packed?: readonly PackedListing[];
}

/** Bytes that a transaction hands on. */
export interface PackedListing {
  readonly bytes: Uint8Array;
  /** How often the bytes name an address only to revoke a right from it. */
  readonly losing?: ReadonlyMap<CanonicalAddress, number>;
}

/** A list entry for an address of the event. */
interface Match extends ListedAddress {
  readonly isUser?: true;
}

const NONE: readonly CheckEntry[] = [];
const NO_USERS: readonly CanonicalAddress[] = [];
const NO_BYTES: readonly PackedListing[] = [];

/**
 * Looks up the event's addresses in every list, and the addresses that answers name. The receivers of a Solana
 * transaction, for example, appear only in its simulation. No request is made.
 *
 * @returns the entry of the check `listed`. Empty if no list holds any address, as for nearly every event.
 */
export function listedEntries(
  required: readonly Check[],
  parties: Parties | undefined,
  answered: readonly CheckEntry[],
  book: AddressBook,
): readonly CheckEntry[] {
  const found = parties === undefined ? undefined : matchesIn(parties, answered, book);
  if (found !== undefined) return [answeredHere("listed", evidenceOf(found))];
  if (!required.includes("listed")) return NONE;
  return [book.lists.some(({ entries }) => entries > 0) ? onNoList : noList];
}

/** The entries for an event that requires the check by name. */
const onNoList = answeredHere("listed", { matches: [] } satisfies ListedEvidence);
const noList = failed("listed", "CHECK_UNSUPPORTED", "no list with an entry is loaded: name list files in LISTS_FILES");

function matchesIn(
  { chain, addresses, users = NO_USERS, packed = NO_BYTES }: Parties,
  answered: readonly CheckEntry[],
  book: AddressBook,
): readonly Match[] | undefined {
  let found: Match[] | undefined;
  for (const address of addresses) found = add(found, book.listed(chain, address));
  for (const { bytes, losing } of packed) {
    for (const [address, times] of book.accusedWithin(chain, bytes)) {
      if (addresses.includes(address) || times <= (losing?.get(address) ?? 0)) continue;
      found = add(found, book.listed(chain, address));
    }
  }
  for (const user of users) {
    const listed = book.listed(chain, user);
    if (listed.length === 0 || addresses.includes(user)) continue;
    const accusing = listed.filter(({ standing }) => standing !== "allowed");
    found = add(
      found,
      accusing.map((each): Match => ({ ...each, isUser: true })),
    );
  }
  for (const entry of answered) {
    if (entry.check !== "solana-simulation" && entry.check !== "evm-security") continue;
    for (const address of namedIn(entry, chain.family)) {
      if (!addresses.includes(address)) found = add(found, book.listed(chain, address));
    }
  }
  return found;
}

function add(found: Match[] | undefined, more: readonly Match[]): Match[] | undefined {
  if (more.length === 0) return found;
  if (found === undefined) return [...more];
  found.push(...more);
  return found;
}

function evidenceOf(found: readonly Match[]): ListedEvidence {
  // An address that the user knows counts less than an address that the event is about.
  const parties = found.filter(({ isUser }) => isUser !== true);
  const users = found.filter(({ isUser }) => isUser === true);
  const worstFirst = [parties, users].flatMap((group) =>
    standings.flatMap((standing) => group.filter((each) => each.standing === standing)),
  );
  return { matches: worstFirst.slice(0, MOST_MATCHES).map(matchOf) };
}

function matchOf({ standing, label, list, isUser }: Match): ListedEvidence["matches"][number] {
  const { address, kind, chain, everywhere, name, program, note, riskLevel } = label;
  return {
    address,
    standing,
    kind,
    chain: everywhere === true ? chain.family : chain.id,
    name,
    ...(program === undefined ? {} : { program }),
    ...(note === undefined ? {} : { note }),
    ...(riskLevel === undefined ? {} : { risk_level: riskLevel }),
    ...(isUser === true ? { is_user: true } : {}),
    ...(list === undefined
      ? {}
      : { list: { name: list.name, sha256: list.sha256, date: list.date, loaded_at: list.loadedAt } }),
  };
}

/** Every account that a simulation involves, pays, or gives a right. */
function namedIn({ check, data }: CheckEntry, family: Family): ReadonlySet<CanonicalAddress> {
  const texts = check === "solana-simulation" ? solanaTexts(data) : evmTexts(data);
  const named = new Set<CanonicalAddress>();
  for (const text of texts) {
    const address = canonicalAddress(family, text);
    if (address !== undefined) named.add(address);
  }
  return named;
}

function solanaTexts(data: unknown): readonly string[] {
  const { results = [] } = readEvidence("solana-simulation", data) ?? {};
  return results.flatMap((result) => [
    ...[result.from ?? [], result.to ?? []].flat(),
    ...(result.involved_addresses ?? []),
    ...(result.involved_addresses_risks ?? []).map(({ address }) => address),
    ...(result.called_addresses ?? []),
    ...(result.balance_changes ?? []).flatMap(({ token_address, change_list }) => [
      token_address,
      ...change_list.map(({ address }) => address),
    ]),
    ...(result.findings ?? []).flatMap(({ account, gains }) => [account ?? [], gains ?? []].flat()),
  ]);
}

function evmTexts(data: unknown): readonly string[] {
  const { execution } = readEvidence("evm-security", data) ?? {};
  return [
    ...(execution?.balance_changes ?? []).flatMap(({ address, token_address }) => [address, token_address]),
    ...(execution?.rights_given ?? []).flatMap(({ owner, spender }) => [owner, spender]),
  ];
}
