const END = { done: true, value: undefined } as const;

/**
 * What `pull` gives, until it gives nothing. As a generator of it would, but each of those makes an object for every item
 * and is woken for it: this is for what every event passes.
 */
export class PullIterable<T> implements IterableIterator<T, undefined> {
  readonly #pull: () => T | undefined;
  /** One for all: whoever iterates has taken the value before the next is asked for. */
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

/** What `make` makes of each of these; of some, nothing. */
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
