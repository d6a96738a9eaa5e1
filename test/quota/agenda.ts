interface Entry<T> {
  readonly at: number;
  readonly what: T;
}

/**
 * What is going to happen, soonest first, and of one moment in the order it was entered. A sorted array: a few dozen are
 * entered at most, nearly always as the last.
 */
export class Agenda<T> {
  readonly #entries: Entry<T>[] = [];

  /** When the first one happens; Infinity: never. */
  get at(): number {
    return this.#entries[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  enter(at: number, what: T): void {
    let place = this.#entries.length;
    while (place > 0 && (this.#entries[place - 1]?.at ?? at) > at) place--;
    this.#entries.splice(place, 0, { at, what });
  }

  /** Takes the first one out. */
  next(): T | undefined {
    return this.#entries.shift()?.what;
  }
}
