import type { CanonicalAddress } from "../../chains/address.ts";
import { type AddressFormat, formatOf } from "../../chains/address-format.ts";
import type { Family } from "../../chains/chain.ts";
import { type EndingOf, lookalike, type Overlap } from "../../chains/lookalike.ts";
import { atOnce, type Steps } from "../../kernel/steps.ts";
import type { IndexedAddresses } from "./address-list.ts";
import { type Among, FormatTables } from "./format-tables.ts";
import { groupedOrdinals } from "./ordinals.ts";

/** The address of an index that resembles a given one most, and how much. */
export interface Nearest {
  /** Place of the address in what the index was built from. */
  readonly ordinal: number;
  readonly overlap: Overlap;
}

type Tables = ReadonlyMap<AddressFormat, FormatTables>;

/**
 * Finds lookalikes of an address among many of one family, without comparing with each: one bucket table a filter of the
 * format and a block of what may differ in few characters. A bucket only proposes; `lookalike` decides, so that a
 * collision of keys costs a comparison and never an answer. Random addresses rarely collide: each table compares 20 bits
 * or more. Of contrived ones a batch compares each with each, some milliseconds. An address is never its own lookalike.
 *
 * `endingOf` is that of the chain on which an address is looked up, where it has endings of its own.
 */
export class LookalikeIndex {
  readonly #family: Family;
  readonly #addresses: IndexedAddresses;
  readonly #tablesByFormat: Tables;

  private constructor(family: Family, addresses: IndexedAddresses, tables: Tables) {
    this.#family = family;
    this.#addresses = addresses;
    this.#tablesByFormat = tables;
  }

  static of(family: Family, addresses: IndexedAddresses, among: Among = "users"): LookalikeIndex {
    return atOnce(LookalikeIndex.steps(family, addresses, among));
  }

  /**
   * The same in steps, for a million of them. Among labels those may be missed that differ in a few characters without
   * any shape, and those that a rare shape makes alike without a character beyond.
   */
  static *steps(family: Family, addresses: IndexedAddresses, among: Among = "users"): Steps<LookalikeIndex> {
    return new LookalikeIndex(family, addresses, yield* tablesByFormat(family, addresses, among));
  }

  /** Whether any member is a lookalike of `address`. Stops at the first, so that a crowd of alike members is cheap. */
  hasLookalike(address: CanonicalAddress, endingOf?: EndingOf): boolean {
    return this.#search(address, endingOf, () => true);
  }

  /**
   * The lookalike with the most matched bits among those that reach `minBits` of their ordinal and what they share; of
   * equals the first.
   */
  nearest(
    address: CanonicalAddress,
    minBits: (ordinal: number, overlap: Overlap) => number,
    endingOf?: EndingOf,
  ): Nearest | undefined {
    let best: Nearest | undefined;
    this.#search(address, endingOf, (ordinal, overlap) => {
      if (overlap.bits >= minBits(ordinal, overlap) && isNearer(ordinal, overlap, best)) best = { ordinal, overlap };
      return false;
    });
    return best;
  }

  /** Visits every lookalike, some more than once, until `found` says true. @returns whether it did. */
  #search(
    address: CanonicalAddress,
    endingOf: EndingOf | undefined,
    found: (ordinal: number, overlap: Overlap) => boolean,
  ): boolean {
    const tables = this.#tablesByFormat.get(formatOf(this.#family, address));
    if (tables === undefined) return false;
    return tables.search(address, (ordinal) => {
      const member = this.#addresses.at(ordinal);
      const overlap = member === undefined ? undefined : lookalike(this.#family, member, address, endingOf);
      return overlap !== undefined && found(ordinal, overlap);
    });
  }
}

function isNearer(ordinal: number, { bits }: Overlap, best: Nearest | undefined): boolean {
  if (best === undefined || bits > best.overlap.bits) return true;
  return bits === best.overlap.bits && ordinal < best.ordinal;
}

function* tablesByFormat(family: Family, addresses: IndexedAddresses, among: Among): Steps<Tables> {
  const formatAt = (ordinal: number) => formatOf(family, addresses.at(ordinal) ?? ("" as CanonicalAddress));
  const membersByFormat = yield* groupedOrdinals(addresses.length, (place) => place, formatAt);
  const tables = new Map<AddressFormat, FormatTables>();
  for (const [format, members] of membersByFormat) {
    tables.set(format, yield* FormatTables.steps(format, addresses, members, among));
  }
  return tables;
}
