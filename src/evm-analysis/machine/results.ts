import type { Expr } from "./expr.ts";

/** A cache of operations on two words. Paths repeat the same computations many times. */
export interface Results {
  get(op: number, a: Expr, b: Expr): Expr | undefined;
  add(op: number, a: Expr, b: Expr, result: Expr): void;
}

const FIRST_SIZE = 1_024;

/**
 * A hash table with open addressing over plain numbers. Keys that are texts, lists or large numbers would be allocated
 * for every look-up. Source: Knuth, "The Art of Computer Programming", volume 3, section 6.4, algorithm L.
 */
export function createResults(): Results {
  let keys = new Int32Array(FIRST_SIZE * 3).fill(-1);
  let values = Array.from<Expr | undefined>({ length: FIRST_SIZE });
  let mask = FIRST_SIZE - 1;
  let count = 0;

  /** The position of the key, or the free position for it. */
  function placeOf(op: number, a: number, b: number): number {
    let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(op, 0xc2b2ae35);
    hash ^= hash >>> 15;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const found = keys[at * 3];
      if (found === -1 || (found === op && keys[at * 3 + 1] === a && keys[at * 3 + 2] === b)) return at;
    }
  }

  function put(op: number, a: number, b: number, result: Expr): void {
    const at = placeOf(op, a, b);
    keys[at * 3] = op;
    keys[at * 3 + 1] = a;
    keys[at * 3 + 2] = b;
    values[at] = result;
  }

  function grow(): void {
    const [oldKeys, oldValues] = [keys, values];
    mask = mask * 2 + 1;
    keys = new Int32Array((mask + 1) * 3).fill(-1);
    values = Array.from<Expr | undefined>({ length: mask + 1 });
    for (const [at, value] of oldValues.entries()) {
      if (value !== undefined) put(oldKeys[at * 3] ?? 0, oldKeys[at * 3 + 1] ?? 0, oldKeys[at * 3 + 2] ?? 0, value);
    }
  }

  return {
    get: (op, a, b) => values[placeOf(op, a.id, b.id)],
    add(op, a, b, result) {
      // Half of the table stays free, so that searches are short.
      if (++count * 2 > mask) grow();
      put(op, a.id, b.id, result);
    },
  };
}
