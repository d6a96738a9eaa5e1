/** Initial capacity. Most partitions have few records in flight. Guessed. */
const FIRST_ROOM = 16;
/** A larger ring is halved when only an eighth of it is used. Guessed: this capacity takes a few pages of memory. */
const KEPT_ROOM = 1_024;

/**
 * A queue of delivered offsets, ascending, with the bytes of each record. Ring buffers avoid an allocation for each
 * record.
 */
export class InFlightOffsets {
  #offsets = ringOf(FIRST_ROOM);
  #sizes = ringOf(FIRST_ROOM);
  #first = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** NaN for an index that is not in the queue. No comparison with NaN holds. */
  offsetAt(index: number): number {
    return this.#has(index) ? (this.#offsets[this.#placeOf(index)] ?? Number.NaN) : Number.NaN;
  }

  sizeAt(index: number): number | undefined {
    return this.#has(index) ? this.#sizes[this.#placeOf(index)] : undefined;
  }

  setSize(index: number, size: number): void {
    this.#sizes[this.#placeOf(index)] = size;
  }

  push(offset: number, size: number): void {
    if (this.#length === this.#offsets.length) this.#move(2 * this.#length);
    const place = this.#placeOf(this.#length++);
    this.#offsets[place] = offset;
    this.#sizes[place] = size;
  }

  shift(): void {
    this.#first = this.#placeOf(1);
    this.#length--;
    const room = this.#offsets.length;
    if (room > KEPT_ROOM && 8 * this.#length < room) this.#move(room / 2);
  }

  #has(index: number): boolean {
    return index >= 0 && index < this.#length;
  }

  /** The capacity of a ring is a power of two. */
  #placeOf(index: number): number {
    return (this.#first + index) & (this.#offsets.length - 1);
  }

  #move(room: number): void {
    const [offsets, sizes] = [ringOf(room), ringOf(room)];
    for (let i = 0; i < this.#length; i++) {
      offsets[i] = this.#offsets[this.#placeOf(i)] ?? 0;
      sizes[i] = this.#sizes[this.#placeOf(i)] ?? 0;
    }
    this.#offsets = offsets;
    this.#sizes = sizes;
    this.#first = 0;
  }
}

function ringOf(room: number): number[] {
  return new Array<number>(room).fill(0);
}
