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
