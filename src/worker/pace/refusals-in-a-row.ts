interface Row {
  readonly refusals: number;
  /** Answers to all requests when the last refusal was counted. */
  readonly answers: number;
}

/**
 * Counts refusals of each key in a row. Refusals between which nothing is answered count as one: they may have one cause.
 */
export class RefusalsInARow<Key> {
  readonly #rows = new Map<Key, Row>();
  readonly #remembered: number;

  /** @param remembered keys that are counted at the same time; the one that was refused longest ago is forgotten first. */
  constructor(remembered = Number.POSITIVE_INFINITY) {
    this.#remembered = remembered;
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  /** @param answers requests that were answered so far. @returns the refusals of the key in a row, this one included. */
  refused(key: Key, answers: number): number {
    const row = this.#rows.get(key);
    if (row !== undefined && answers <= row.answers) return row.refusals;
    const refusals = (row?.refusals ?? 0) + 1;
    this.#rows.delete(key);
    this.#rows.set(key, { refusals, answers });
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > this.#remembered && oldest !== undefined) this.#rows.delete(oldest);
    return refusals;
  }

  answered(key: Key): void {
    this.#rows.delete(key);
  }
}
