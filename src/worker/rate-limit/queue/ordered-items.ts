/**
 * Items in the order of their positions. Nearly all arrive in that order. Items that come back are sorted on demand.
 */
export class OrderedItems<T> {
  readonly #places = new Map<T, number>();
  /** The highest position. */
  #last = Number.NEGATIVE_INFINITY;
  #isInOrder = true;

  get size(): number {
    return this.#places.size;
  }

  has(item: T): boolean {
    return this.#places.has(item);
  }

  /** @param item an item that is not in the list. */
  add(item: T, place: number): void {
    if (place < this.#last) this.#isInOrder = false;
    else this.#last = place;
    this.#places.set(item, place);
  }

  /** @returns whether the item was in the list. */
  delete(item: T): boolean {
    return this.#places.delete(item);
  }

  /** The item with the lowest position, and the position. */
  get first(): readonly [item: T, place: number] | undefined {
    this.#sort();
    const [first] = this.#places;
    return first;
  }

  /** All items in order. An item that leaves during the iteration is skipped. */
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
