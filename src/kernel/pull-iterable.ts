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
