import { ITEMS_A_STEP, type Steps } from "../../kernel/async.ts";

/** A growing list of ordinals. An ordinary array of a million would have to be copied at the end, which takes 20 ms. */
class Ordinals {
  #values = new Uint32Array(4);
  #length = 0;

  push(ordinal: number): void {
    if (this.#length === this.#values.length) {
      const values = new Uint32Array(4 * this.#length);
      values.set(this.#values);
      this.#values = values;
    }
    this.#values[this.#length++] = ordinal;
  }

  /** The ordinals added so far. */
  get all(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }
}

/**
 * Groups ordinals by `keyOf`, in their order. Ordinals without a key are left out. `at` returns the ordinal at a
 * position.
 */
export function* groupedOrdinals<K>(
  count: number,
  at: (place: number) => number,
  keyOf: (ordinal: number) => K | undefined,
): Steps<Map<K, Uint32Array>> {
  const groups = new Map<K, Ordinals>();
  for (let place = 0; place < count; place++) {
    if (place > 0 && place % ITEMS_A_STEP === 0) yield;
    const ordinal = at(place);
    const key = keyOf(ordinal);
    if (key === undefined) continue;
    const known = groups.get(key);
    const group = known ?? new Ordinals();
    if (known === undefined) groups.set(key, group);
    group.push(ordinal);
  }
  if (count > ITEMS_A_STEP) yield;
  return new Map(groups.entries().map(([key, group]) => [key, group.all]));
}
