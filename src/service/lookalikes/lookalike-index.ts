import type { CanonicalAddress } from "../../chains/address.ts";
import { type AddressFormat, formatOf } from "../../chains/address-format.ts";
import type { Family } from "../../chains/chain.ts";
import { type EndingOf, lookalike, type Overlap } from "../../chains/lookalike.ts";
import { atOnce, type Steps } from "../../kernel/async.ts";
import type { IndexedAddresses } from "./address-list.ts";
import { type Among, FormatTables } from "./format-tables.ts";
import { groupedOrdinals } from "./ordinals.ts";

/** The member of an index that resembles a given address most, and their overlap. */
export interface Nearest {
  /** Position of the address in the list that the index was built from. */
  readonly ordinal: number;
  readonly overlap: Overlap;
}

type Tables = ReadonlyMap<AddressFormat, FormatTables>;

/**
 * Finds lookalikes of an address among many of one family, without comparing all. It has one bucket table per filter of
 * the format, and one per block of nearly equal addresses. A bucket only proposes, and `lookalike` decides. A collision
 * of keys therefore costs a comparison, but never changes an answer.
 *
 * Each table compares 20 bits or more, so random addresses rarely collide. For contrived addresses, a batch compares
 * each with each, which takes some milliseconds. An address is never its own lookalike. `endingOf` returns the endings
 * of the chain of the lookup, where the chain has its own.
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
   * Builds the index in short steps, for a million addresses. An index of labels may miss two kinds of lookalikes. One
   * kind differs in a few characters without any shape. The other kind is alike by a rare shape without a further equal
   * character.
   */
  static *steps(family: Family, addresses: IndexedAddresses, among: Among = "users"): Steps<LookalikeIndex> {
    return new LookalikeIndex(family, addresses, yield* tablesByFormat(family, addresses, among));
  }

  /** True when any member is a lookalike of `address`. Stops at the first, so that many alike members are cheap. */
  hasLookalike(address: CanonicalAddress, endingOf?: EndingOf): boolean {
    return this.#search(address, endingOf, () => true);
  }

  /**
   * The lookalike with the most matched bits, among those that reach `minBits` of their ordinal and overlap. Among
   * equals, the first wins.
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

  /**
   * Visits every lookalike until `found` returns true. A lookalike may be visited more than once. @returns true when
   * `found` did.
   */
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
