interface Entry<T> {
  readonly at: number;
  readonly what: T;
}

/**
 * Future events, soonest first, and events of the same time in order of entry. A sorted array suffices: it has a few
 * dozen entries at most, and nearly every new one is the last.
 */
export class Agenda<T> {
  readonly #entries: Entry<T>[] = [];

  /** The time of the first event; Infinity: there is none. */
  get at(): number {
    return this.#entries[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  enter(at: number, what: T): void {
    let place = this.#entries.length;
    while (place > 0 && (this.#entries[place - 1]?.at ?? at) > at) place--;
    this.#entries.splice(place, 0, { at, what });
  }

  /** Takes out the first event. */
  next(): T | undefined {
    return this.#entries.shift()?.what;
  }
}
