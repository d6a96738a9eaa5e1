import type { CanonicalAddress } from "../../chains/address.ts";
import type { AddressFormat, Shape } from "../../chains/address-format.ts";
import { eachInSteps, type Steps } from "../../kernel/steps.ts";
import { KeyBuckets, keyOf } from "../../labels/key-buckets.ts";
import type { AddressList } from "./address-list.ts";
import { groupedOrdinals } from "./ordinals.ts";

/** Some members of a format, bucketed by the characters that one shape compares. */
interface ShapeTable {
  readonly shape: Shape;
  /** Ordinal in the table -> ordinal in the index. */
  readonly members: Uint32Array;
  readonly buckets: KeyBuckets;
}

/**
 * The members of one format. Two addresses with the same ending are compared in front of it, and two with different
 * ones are never alike, so members with an ending are kept twice: by the characters in front of it, for addresses that
 * have it too, and by their plain ends for addresses that have none. Were the former left out, a thousand mints of one
 * launchpad would share a few dozen buckets and be compared each with each.
 */
export class FormatTables {
  readonly #format: AddressFormat;
  readonly #withoutEnding: readonly ShapeTable[];
  readonly #withEnding: readonly ShapeTable[];
  readonly #byEnding: ReadonlyMap<string, readonly ShapeTable[]>;

  private constructor(
    format: AddressFormat,
    tables: {
      readonly withoutEnding: readonly ShapeTable[];
      readonly withEnding: readonly ShapeTable[];
      readonly byEnding: ReadonlyMap<string, readonly ShapeTable[]>;
    },
  ) {
    this.#format = format;
    this.#withoutEnding = tables.withoutEnding;
    this.#withEnding = tables.withEnding;
    this.#byEnding = tables.byEnding;
  }

  /** `members` are ordinals of `addresses`, all of them of this format. */
  static *steps(format: AddressFormat, addresses: AddressList, members: Uint32Array): Steps<FormatTables> {
    const endingOf = (ordinal: number) => format.endingOf(addresses.at(ordinal) ?? ("" as CanonicalAddress));
    const withinEnding = [...format.shapes, ...format.sameEndingShapes];
    const ended = yield* groupedOrdinals(members.length, (place) => members[place] ?? 0, endingOf);
    const withoutEnding = yield* tablesOf(format, format.shapes, addresses, ended.get("") ?? nobody, 0);
    ended.delete("");
    const withEnding = yield* tablesOf(format, format.shapes, addresses, joined([...ended.values()]), 0);
    const byEnding = new Map<string, readonly ShapeTable[]>();
    for (const [ending, ordinals] of ended) {
      byEnding.set(ending, yield* tablesOf(format, withinEnding, addresses, ordinals, ending.length));
    }
    return new FormatTables(format, { withoutEnding, withEnding, byEnding });
  }

  /** Calls `found` with every member that has the ends of `address`, some more than once, until it says true. */
  search(address: CanonicalAddress, found: (ordinal: number) => boolean): boolean {
    const ending = this.#format.endingOf(address);
    if (this.#searchIn(this.#withoutEnding, address, 0, found)) return true;
    if (ending === "") return this.#searchIn(this.#withEnding, address, 0, found);
    return this.#searchIn(this.#byEnding.get(ending) ?? [], address, ending.length, found);
  }

  #searchIn(
    tables: readonly ShapeTable[],
    address: CanonicalAddress,
    skipped: number,
    found: (ordinal: number) => boolean,
  ): boolean {
    for (const { shape, members, buckets } of tables) {
      const key = keyOf(address, this.#format.constantPrefix + shape.prefix, shape.suffix, skipped);
      for (let position = buckets.first(key); position >= 0; position = buckets.next(key, position)) {
        if (found(members[buckets.ordinalAt(position)] ?? 0)) return true;
      }
    }
    return false;
  }
}

/** One table a shape, none at all when there are no members. */
function* tablesOf(
  { constantPrefix }: AddressFormat,
  shapes: readonly Shape[],
  addresses: AddressList,
  members: Uint32Array,
  skipped: number,
): Steps<readonly ShapeTable[]> {
  if (members.length === 0) return [];
  const tables: ShapeTable[] = [];
  for (const shape of shapes) {
    const prefix = constantPrefix + shape.prefix;
    const keys = new Uint32Array(members.length);
    yield* eachInSteps(members, (ordinal, at) => {
      keys[at] = keyOf(addresses.at(ordinal) ?? "", prefix, shape.suffix, skipped);
    });
    tables.push({ shape, members, buckets: yield* KeyBuckets.steps(keys) });
  }
  return tables;
}

const nobody = new Uint32Array(0);

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let from = 0;
  for (const part of parts) {
    all.set(part, from);
    from += part.length;
  }
  return all;
}
