import { sha256 } from "./hash.ts";

/** A binary heap: the item that precedes all other items leaves first. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #isBefore: (a: T, b: T) => boolean;

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore;
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !this.#isBefore(item, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  /** Removes the first item. Undefined when the heap is empty. */
  pop(): T | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    for (let at = 0; ; ) {
      let child = 2 * at + 1;
      const [left, right] = [items[child], items[child + 1]];
      if (left !== undefined && right !== undefined && this.#isBefore(right, left)) child++;
      const below = items[child];
      if (below === undefined || !this.#isBefore(below, last)) {
        items[at] = last;
        return first;
      }
      items[at] = below;
      at = child;
    }
  }
}

/**
 * A bounded set of the most recently added texts; the oldest are removed first. It stores the SHA-256 of each text, so
 * a long text takes no more memory than a short one. Hashing is slow, so a caller with many texts should check
 * `isEmpty` first.
 */
export class RecentTexts {
  readonly #max: number;
  readonly #hashes = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  get isEmpty(): boolean {
    return this.#hashes.size === 0;
  }

  has(text: string): boolean {
    return this.#hashes.has(sha256(text));
  }

  add(text: string): void {
    const hash = sha256(text);
    this.#hashes.delete(hash);
    this.#hashes.add(hash);
    if (this.#hashes.size <= this.#max) return;
    for (const oldest of this.#hashes) {
      this.#hashes.delete(oldest);
      return;
    }
  }

  delete(text: string): void {
    this.#hashes.delete(sha256(text));
  }
}

const BUCKETS = 10;

/** How often something happened lately, to a tenth of the time that counts. Times are milliseconds from any one origin. */
export class RecentCount {
  readonly #bucketMs: number;
  readonly #counts = new Array<number>(BUCKETS).fill(0);
  #last = 0;

  /** @param forMs how long what happened is counted. */
  constructor(forMs: number) {
    this.#bucketMs = Math.max(1, forMs / BUCKETS);
  }

  /** It happens now. @param now never before that of an earlier call. */
  add(now: number): void {
    this.#moveTo(now);
    const at = this.#last % BUCKETS;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  /** @param now as of `add`. */
  sum(now: number): number {
    this.#moveTo(now);
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  #moveTo(now: number): void {
    const at = Math.floor(now / this.#bucketMs);
    for (let i = Math.max(this.#last + 1, at - BUCKETS + 1); i <= at; i++) this.#counts[i % BUCKETS] = 0;
    this.#last = at;
  }
}

/** Bounds of the cache. Chosen: a file has tens of field names, and a producer must not fill the memory. */
const MAX_TEXTS = 1_000;
const MAX_CHARACTERS = 100;

/**
 * Makes a function that caches the results of `compute` for the first short texts. Field names repeat in every record,
 * and to interpret a name takes longer than to read the record.
 *
 * @param compute pure: its result depends on the text alone.
 */
export function addBounded<T>(compute: (text: string) => T): (text: string) => T {
  const kept = new Map<string, { readonly result: T }>();
  return (text) => {
    const found = kept.get(text);
    if (found !== undefined) return found.result;
    const result = compute(text);
    if (kept.size < MAX_TEXTS && text.length <= MAX_CHARACTERS) kept.set(text, { result });
    return result;
  };
}

const END = { done: true, value: undefined } as const;

/**
 * Iterates over the values of `pull` until it returns undefined. A generator would allocate an object and resume once
 * per item. This class is for paths that every event takes.
 */
export class PullIterable<T> implements IterableIterator<T, undefined> {
  readonly #pull: () => T | undefined;
  /** One result object for all items. The caller has read the value before it asks for the next one. */
  #result: { readonly done: false; value: T } | undefined;

  constructor(pull: () => T | undefined) {
    this.#pull = pull;
  }

  next(): IteratorResult<T, undefined> {
    const value = this.#pull();
    if (value === undefined) return END;
    if (this.#result === undefined) this.#result = { done: false, value };
    else this.#result.value = value;
    return this.#result;
  }

  [Symbol.iterator](): this {
    return this;
  }
}

/** Iterates over the results of `make`. Items with an undefined result are skipped. */
export function iterateFrom<T, U>(items: Iterable<T>, make: (item: T) => U | undefined): Iterable<U> {
  const iterator = items[Symbol.iterator]();
  return new PullIterable(() => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      const made = make(next.value);
      if (made !== undefined) return made;
    }
    return undefined;
  });
}

/** The result of `make`, created on first use. Tables take milliseconds to build, and most runs use few tables. */
export function lazy<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
