/** Items in the order of their places. Nearly all come in that order: the few that come back are sorted in when somebody looks. */
export class OrderedItems<T> {
  readonly #places = new Map<T, number>();
  /** No place is greater. */
  #last = Number.NEGATIVE_INFINITY;
  #isInOrder = true;

  get size(): number {
    return this.#places.size;
  }

  has(item: T): boolean {
    return this.#places.has(item);
  }

  /** @param item one that has no place here. */
  add(item: T, place: number): void {
    if (place < this.#last) this.#isInOrder = false;
    else this.#last = place;
    this.#places.set(item, place);
  }

  /** @returns whether it was here. */
  delete(item: T): boolean {
    return this.#places.delete(item);
  }

  /** The one of the least place, with that. */
  get first(): readonly [item: T, place: number] | undefined {
    this.#sort();
    const [first] = this.#places;
    return first;
  }

  /** All, in order. What leaves before it was met is not met. */
  items(): Iterator<T> & Iterable<T> {
    this.#sort();
    return this.#places.keys();
  }

  #sort(): void {
    if (this.#isInOrder) return;
    const sorted = [...this.#places].sort(([, a], [, b]) => a - b);
    this.#places.clear();
    for (const [item, place] of sorted) this.#places.set(item, place);
    this.#isInOrder = true;
  }
}
