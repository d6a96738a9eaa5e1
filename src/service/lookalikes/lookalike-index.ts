import type { CanonicalAddress } from "../../chains/address.ts";
import { type AddressFormat, formatOf } from "../../chains/address-format.ts";
import type { Family } from "../../chains/chain.ts";
import { lookalike, type Overlap } from "../../chains/lookalike.ts";
import { FormatTables } from "./format-tables.ts";

/** The address of an index that resembles a given one most, and how much. */
export interface Nearest {
  /** Place of the address in what the index was built from. */
  readonly ordinal: number;
  readonly overlap: Overlap;
}

/**
 * Finds lookalikes of an address among many of one family, without comparing with each: one bucket table a shape.
 * A bucket only proposes; `lookalike` decides, so that a collision of keys costs a comparison and never an answer.
 * Nobody can contrive many: a shape compares about 30 bits and keys have 32. An address is never its own lookalike.
 */
export class LookalikeIndex {
  readonly #family: Family;
  readonly #addresses: readonly CanonicalAddress[];
  readonly #tablesByFormat: ReadonlyMap<AddressFormat, FormatTables>;

  constructor(family: Family, addresses: readonly CanonicalAddress[]) {
    this.#family = family;
    this.#addresses = addresses;
    this.#tablesByFormat = tablesByFormat(family, addresses);
  }

  /** Whether any member is a lookalike of `address`. Stops at the first, so that a crowd of alike members is cheap. */
  hasLookalike(address: CanonicalAddress): boolean {
    return this.#search(address, () => true);
  }

  /**
   * The lookalike with the most matched bits among those that reach `minBits` of their ordinal and what they share; of
   * equals the first.
   */
  nearest(address: CanonicalAddress, minBits: (ordinal: number, overlap: Overlap) => number): Nearest | undefined {
    let best: Nearest | undefined;
    this.#search(address, (ordinal, overlap) => {
      if (overlap.bits >= minBits(ordinal, overlap) && isNearer(ordinal, overlap, best)) best = { ordinal, overlap };
      return false;
    });
    return best;
  }

  /** Visits every lookalike, some more than once, until `found` says true. @returns whether it did. */
  #search(address: CanonicalAddress, found: (ordinal: number, overlap: Overlap) => boolean): boolean {
    const tables = this.#tablesByFormat.get(formatOf(this.#family, address));
    if (tables === undefined) return false;
    return tables.search(address, (ordinal) => {
      const member = this.#addresses[ordinal];
      const overlap = member === undefined ? undefined : lookalike(this.#family, member, address);
      return overlap !== undefined && found(ordinal, overlap);
    });
  }
}

function isNearer(ordinal: number, { bits }: Overlap, best: Nearest | undefined): boolean {
  if (best === undefined || bits > best.overlap.bits) return true;
  return bits === best.overlap.bits && ordinal < best.ordinal;
}

function tablesByFormat(
  family: Family,
  addresses: readonly CanonicalAddress[],
): ReadonlyMap<AddressFormat, FormatTables> {
  const membersByFormat = new Map<AddressFormat, number[]>();
  for (const [ordinal, address] of addresses.entries()) {
    const format = formatOf(family, address);
    const members = membersByFormat.get(format);
    if (members === undefined) membersByFormat.set(format, [ordinal]);
    else members.push(ordinal);
  }
  return new Map(
    membersByFormat.entries().map(([format, members]) => [format, new FormatTables(format, addresses, members)]),
  );
}
