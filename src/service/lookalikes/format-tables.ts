import type { CanonicalAddress } from "../../chains/address.ts";
import type { AddressFormat, Shape } from "../../chains/address-format.ts";
import type { Steps } from "../../kernel/async.ts";
import { keyOf } from "../../labels/index/key-buckets.ts";
import type { IndexedAddresses } from "./address-list.ts";
import { blocksOf } from "./blocks.ts";
import { KeyedTable, type KeyMaker } from "./keyed-table.ts";
import { groupedOrdinals } from "./ordinals.ts";

/** The kind of index. Users are found by every rule of likeness. Labels are found by their ends, with longer ones. */
export type Among = "users" | "labels";

interface Tables {
  /** Tables of all members, by characters that are compared whatever the endings are. */
  readonly whole: readonly KeyedTable[];
  readonly withoutEnding: readonly KeyedTable[];
  readonly withEnding: readonly KeyedTable[];
  readonly byEnding: ReadonlyMap<string, readonly KeyedTable[]>;
}

/**
 * The members of one format: a table for each filter, and for each block of nearly equal addresses.
 *
 * Two addresses with the same ending are compared by the characters in front of it. Members with an ending are
 * therefore stored twice. A search with the same ending uses the characters in front of the ending. A search without an
 * ending uses the plain ends. Otherwise a thousand mints of one launchpad would share a few dozen buckets and be
 * compared with each other.
 */
export class FormatTables {
  readonly #format: AddressFormat;
  readonly #tables: Tables;

  private constructor(format: AddressFormat, tables: Tables) {
    this.#format = format;
    this.#tables = tables;
  }

  /** `members` are ordinals of `addresses`, all in this format. */
  static *steps(
    format: AddressFormat,
    addresses: IndexedAddresses,
    members: Uint32Array,
    among: Among,
  ): Steps<FormatTables> {
    const endingOf = (ordinal: number) => format.endingOf(addresses.at(ordinal) ?? ("" as CanonicalAddress));
    const { sameEndingShapes } = format;
    const filters = among === "users" ? format.filters : format.labelFilters;
    const blocks = among === "users" ? blocksOf(format) : [];
    const ends = filters.filter(({ suffix }) => suffix > 0);
    const fronts = filters.filter(({ suffix }) => suffix === 0);
    const ended = yield* groupedOrdinals(members.length, (place) => members[place] ?? 0, endingOf);
    const plain = ended.get("") ?? nobody;
    ended.delete("");
    const byEnding = new Map<string, readonly KeyedTable[]>();
    for (const [ending, ordinals] of ended) {
      const shapes = [...ends, ...sameEndingShapes];
      byEnding.set(ending, yield* tablesOf(keysBy(format, shapes, ending.length), addresses, ordinals));
    }
    return new FormatTables(format, {
      whole: yield* tablesOf([...keysBy(format, fronts, 0), ...blocks], addresses, members),
      withoutEnding: yield* tablesOf(keysBy(format, ends, 0), addresses, plain),
      withEnding: yield* tablesOf(keysBy(format, ends, 0), addresses, joined([...ended.values()])),
      byEnding,
    });
  }

  /**
   * Calls `found` with every member that may resemble `address`, until `found` returns true. A member may be visited
   * more than once.
   */
  search(address: CanonicalAddress, found: (ordinal: number) => boolean): boolean {
    const { whole, withoutEnding, withEnding, byEnding } = this.#tables;
    if (searchIn(withoutEnding, address, found) || searchIn(whole, address, found)) return true;
    const ending = this.#format.endingOf(address);
    return searchIn(ending === "" ? withEnding : (byEnding.get(ending) ?? []), address, found);
  }
}

function searchIn(tables: readonly KeyedTable[], address: string, found: (ordinal: number) => boolean): boolean {
  for (const table of tables) if (table.search(address, found)) return true;
  return false;
}

/** Keys of the ends of addresses, one per shape. The last `skipped` characters are left out. */
function keysBy({ constantPrefix }: AddressFormat, shapes: readonly Shape[], skipped: number): readonly KeyMaker[] {
  return shapes.map(
    ({ prefix, suffix }) =>
      (address) =>
        keyOf(address, constantPrefix + prefix, suffix, skipped),
  );
}

/** One table per key. Without members, there are no tables. */
function* tablesOf(
  keys: readonly KeyMaker[],
  addresses: IndexedAddresses,
  members: Uint32Array,
): Steps<readonly KeyedTable[]> {
  if (members.length === 0) return [];
  const tables: KeyedTable[] = [];
  for (const key of keys) tables.push(yield* KeyedTable.steps(key, addresses, members));
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
