import { ITEMS_A_STEP, type Steps } from "../../kernel/steps.ts";

/**
 * Ordinals 0..n-1 by a 32-bit key: compressed sparse rows in typed arrays, at least two buckets an ordinal. Different
 * values may have one key, so whoever finds an ordinal here compares the values themselves.
 */
export class KeyBuckets {
  readonly #mask: number;
  /** First position of each bucket; its end is the next one's start. */
  readonly #starts: Uint32Array;
  readonly #keys: Uint32Array;
  readonly #ordinals: Uint32Array;

  private constructor(size: number) {
    const buckets = 2 ** Math.ceil(Math.log2(2 * size + 1));
    this.#mask = buckets - 1;
    this.#starts = new Uint32Array(buckets + 1);
    this.#keys = new Uint32Array(size);
    this.#ordinals = new Uint32Array(size);
  }

  /** `keys[i]` is the key of ordinal i. */
  static *steps(keys: Uint32Array): Steps<KeyBuckets> {
    const made = new KeyBuckets(keys.length);
    yield* made.#fill(keys);
    return made;
  }

  /** Counts each bucket, turns the counts into ends, then fills from the back, which leaves starts behind. */
  *#fill(keys: Uint32Array): Steps<void> {
    const [starts, mask] = [this.#starts, this.#mask];
    for (const key of keys) starts[key & mask] = (starts[key & mask] ?? 0) + 1;
    if (keys.length > ITEMS_A_STEP) yield;
    let end = 0;
    for (let bucket = 0; bucket < starts.length; bucket++) {
      end += starts[bucket] ?? 0;
      starts[bucket] = end;
    }
    if (keys.length > ITEMS_A_STEP) yield;
    for (let ordinal = keys.length - 1; ordinal >= 0; ordinal--) {
      const key = keys[ordinal] ?? 0;
      const position = (starts[key & mask] ?? 0) - 1;
      starts[key & mask] = position;
      this.#keys[position] = key;
      this.#ordinals[position] = ordinal;
      if (ordinal > 0 && ordinal % (4 * ITEMS_A_STEP) === 0) yield;
    }
  }

  /** Position of the first ordinal with this key, -1 when there is none. Ordinals come in ascending order. */
  first(key: number): number {
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
 * Key of the first `prefix` and the last `suffix` characters of `text`, these without its last `skipped`: an unsigned
 * 32-bit number. Reads character codes, so nothing is allocated. Source: FNV-1a, finished with MurmurHash3's mixer,
 * since the low bits pick buckets.
 */
export function keyOf(text: string, prefix: number, suffix: number, skipped = 0): number {
  const end = text.length - skipped;
  let hash = 0x811c9dc5;
  for (let i = 0; i < prefix; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  for (let i = end - suffix; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
