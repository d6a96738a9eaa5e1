import { eachInSteps, ITEMS_A_STEP, type Steps } from "../../kernel/async.ts";

/** Sixteen bits per ordinal: at most one absent key in sixteen causes a useless search. */
const PRESENT_BITS_LOG2 = 4;

/**
 * Ordinals 0..n-1 by a 32-bit key: compressed sparse rows in typed arrays, at least two buckets per ordinal. Different
 * values may have one key, so the caller has to compare the values.
 */
export class KeyBuckets {
  readonly #mask: number;
  /** First position of each bucket. It ends where the next bucket starts. */
  readonly #starts: Uint32Array;
  /**
   * A bit for the upper bits of each key. Most absent keys are rejected by this table alone, which stays in the
   * processor's cache.
   */
  readonly #present: Uint32Array;
  /** The shift that maps a key to its bit. */
  readonly #shift: number;
  readonly #keys: Uint32Array;
  readonly #ordinals: Uint32Array;

  private constructor(size: number) {
    const buckets = 2 ** Math.ceil(Math.log2(2 * size + 1));
    this.#mask = buckets - 1;
    this.#starts = new Uint32Array(buckets + 1);
    const presentBits = Math.min(32, Math.max(5, Math.ceil(Math.log2(size + 1)) + PRESENT_BITS_LOG2));
    this.#present = new Uint32Array(2 ** (presentBits - 5));
    this.#shift = 32 - presentBits;
    this.#keys = new Uint32Array(size);
    this.#ordinals = new Uint32Array(size);
  }

  /** `keys[i]` is the key of ordinal i. */
  static *steps(keys: Uint32Array): Steps<KeyBuckets> {
    const made = new KeyBuckets(keys.length);
    yield* made.#fill(keys);
    return made;
  }

  /** Counts each bucket, turns the counts into ends, and fills the buckets from the back. The ends become starts. */
  *#fill(keys: Uint32Array): Steps<void> {
    const [starts, mask] = [this.#starts, this.#mask];
    yield* eachInSteps(keys, (key) => {
      const bit = key >>> this.#shift;
      this.#present[bit >>> 5] = (this.#present[bit >>> 5] ?? 0) | (1 << (bit & 31));
      starts[key & mask] = (starts[key & mask] ?? 0) + 1;
    });
    let end = 0;
    yield* eachInSteps(starts, (count, bucket) => {
      end += count;
      starts[bucket] = end;
    });
    for (let ordinal = keys.length - 1; ordinal >= 0; ordinal--) {
      const key = keys[ordinal] ?? 0;
      const position = (starts[key & mask] ?? 0) - 1;
      starts[key & mask] = position;
      this.#keys[position] = key;
      this.#ordinals[position] = ordinal;
      if (ordinal > 0 && ordinal % ITEMS_A_STEP === 0) yield;
    }
  }

  /** Position of the first ordinal with this key, -1 when there is none. Ordinals come in ascending order. */
  first(key: number): number {
    const bit = key >>> this.#shift;
    if (((this.#present[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return -1;
    return this.#seek(key, this.#starts[key & this.#mask] ?? 0);
  }

  /** Position of the next ordinal with this key after `position`, -1 when there is none. */
  next(key: number, position: number): number {
    return this.#seek(key, position + 1);
  }

  ordinalAt(position: number): number {
    return this.#ordinals[position] ?? 0;
  }

  #seek(key: number, from: number): number {
    const end = this.#starts[(key & this.#mask) + 1] ?? 0;
    for (let position = from; position < end; position++) {
      if (this.#keys[position] === key) return position;
    }
    return -1;
  }
}

/**
 * Key of the first `prefix` and the last `suffix` characters of `text`, an unsigned 32-bit number. The suffix ends
 * before the last `skipped` characters. Reads character codes, so nothing is allocated. Source: FNV-1a, finished with
 * MurmurHash3's mixer, because the low bits select buckets.
 */
export function keyOf(text: string, prefix: number, suffix: number, skipped = 0): number {
  const end = text.length - skipped;
  return mixed(hashOf(text, end - suffix, end, hashOf(text, 0, prefix, OFFSET_BASIS)));
}

/** Key of the characters of `text` from `from` up to `to`, an unsigned 32-bit number. */
export function blockKeyOf(text: string, from: number, to: number): number {
  return mixed(hashOf(text, from, to, OFFSET_BASIS));
}

const OFFSET_BASIS = 0x811c9dc5;

function hashOf(text: string, from: number, to: number, start: number): number {
  let hash = start;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

function mixed(hash: number): number {
  let key = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  key = Math.imul(key ^ (key >>> 13), 0xc2b2ae35);
  return (key ^ (key >>> 16)) >>> 0;
}
