import { eachInSteps, type Steps } from "../../kernel/async.ts";
import { KeyBuckets } from "../../labels/index/key-buckets.ts";
import type { IndexedAddresses } from "./address-list.ts";

/** Computes the 32-bit key of the characters that one table compares. */
export type KeyMaker = (address: string) => number;

/** Some members of an index, bucketed by one key each. */
export class KeyedTable {
  readonly #keyOf: KeyMaker;
  /** Ordinal in the table -> ordinal in the index. */
  readonly #members: Uint32Array;
  readonly #buckets: KeyBuckets;

  private constructor(key: KeyMaker, members: Uint32Array, buckets: KeyBuckets) {
    this.#keyOf = key;
    this.#members = members;
    this.#buckets = buckets;
  }

  /** `members` are ordinals of `addresses`. */
  static *steps(key: KeyMaker, addresses: IndexedAddresses, members: Uint32Array): Steps<KeyedTable> {
    const keys = new Uint32Array(members.length);
    yield* eachInSteps(members, (ordinal, at) => {
      keys[at] = key(addresses.at(ordinal) ?? "");
    });
    return new KeyedTable(key, members, yield* KeyBuckets.steps(keys));
  }

  /**
   * Calls `found` with every member that has the key of `address`, until `found` returns true. @returns true when
   * `found` did.
   */
  search(address: string, found: (ordinal: number) => boolean): boolean {
    const key = this.#keyOf(address);
    for (let at = this.#buckets.first(key); at >= 0; at = this.#buckets.next(key, at)) {
      if (found(this.#members[this.#buckets.ordinalAt(at)] ?? 0)) return true;
    }
    return false;
  }
}
