import type { CanonicalAddress } from "../../chains/address.ts";
import type { Family } from "../../chains/chain.ts";
import { type AddressFormat, formatOf, lookalike, type Overlap, type Shape } from "../../chains/lookalike.ts";
import { KeyBuckets, keyOf } from "./key-buckets.ts";

/** The members of one format, bucketed by the characters that one shape compares. */
interface ShapeTable {
  readonly shape: Shape;
  /** Ordinal in the table -> ordinal in the index. */
  readonly members: Uint32Array;
  readonly buckets: KeyBuckets;
}

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
  readonly #tablesByFormat: ReadonlyMap<AddressFormat, readonly ShapeTable[]>;

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
   * The lookalike with the most matched bits among those that reach `minBits` of their ordinal; of equals the first.
   */
  nearest(address: CanonicalAddress, minBits: (ordinal: number) => number): Nearest | undefined {
    let best: Nearest | undefined;
    this.#search(address, (ordinal, overlap) => {
      if (overlap.bits >= minBits(ordinal) && isNearer(ordinal, overlap, best)) best = { ordinal, overlap };
      return false;
    });
    return best;
  }

  /** Visits every lookalike, some more than once, until `found` says true. @returns whether it did. */
  #search(address: CanonicalAddress, found: (ordinal: number, overlap: Overlap) => boolean): boolean {
    const format = formatOf(this.#family, address);
    for (const { shape, members, buckets } of this.#tablesByFormat.get(format) ?? []) {
      const key = keyOf(address, format.constantPrefix + shape.prefix, shape.suffix);
      for (let position = buckets.first(key); position >= 0; position = buckets.next(key, position)) {
        const ordinal = members[buckets.ordinalAt(position)] ?? 0;
        const member = this.#addresses[ordinal];
        const overlap = member === undefined ? undefined : lookalike(this.#family, member, address);
        if (overlap !== undefined && found(ordinal, overlap)) return true;
      }
    }
    return false;
  }
}

function isNearer(ordinal: number, { bits }: Overlap, best: Nearest | undefined): boolean {
  if (best === undefined || bits > best.overlap.bits) return true;
  return bits === best.overlap.bits && ordinal < best.ordinal;
}

function tablesByFormat(
  family: Family,
  addresses: readonly CanonicalAddress[],
): ReadonlyMap<AddressFormat, readonly ShapeTable[]> {
  const membersByFormat = new Map<AddressFormat, number[]>();
  for (const [ordinal, address] of addresses.entries()) {
    const format = formatOf(family, address);
    const members = membersByFormat.get(format);
    if (members === undefined) membersByFormat.set(format, [ordinal]);
    else members.push(ordinal);
  }
  const tables = new Map<AddressFormat, readonly ShapeTable[]>();
  for (const [format, members] of membersByFormat) {
    const ordinals = Uint32Array.from(members);
    tables.set(
      format,
      format.shapes.map((shape) => shapeTable(format, shape, addresses, ordinals)),
    );
  }
  return tables;
}

function shapeTable(
  { constantPrefix }: AddressFormat,
  shape: Shape,
  addresses: readonly CanonicalAddress[],
  members: Uint32Array,
): ShapeTable {
  const keys = members.map((ordinal) => keyOf(addresses[ordinal] ?? "", constantPrefix + shape.prefix, shape.suffix));
  return { shape, members, buckets: new KeyBuckets(keys) };
}
