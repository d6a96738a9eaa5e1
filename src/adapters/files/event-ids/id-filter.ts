/** Ids in one block of 256 bits, on average, when the filter is full. Chosen: it is then wrong of one new id in a hundred. */
const BLOCK_IDS = 24;
const BLOCK_WORDS = 8;

/** Says of nearly all ids that are not there that they are not (Bloom's, four bits of an id, within one line of the processor's cache). */
export class IdFilter {
  readonly #blocks: number;
  readonly #words: Int32Array;

  /** @param ids that come at most. */
  constructor(ids: number) {
    this.#blocks = Math.ceil(ids / BLOCK_IDS);
    this.#words = new Int32Array(this.#blocks * BLOCK_WORDS);
  }

  /** @param place in the filter. @param bits evenly spread, as all of an id are. */
  add(place: number, bits: number): void {
    const words = this.#words;
    const block = this.#blockAt(place);
    for (let shift = 0; shift < 32; shift += 8) {
      const bit = (bits >>> shift) & 0xff;
      words[block + (bit >>> 5)] = (words[block + (bit >>> 5)] ?? 0) | (1 << (bit & 31));
    }
  }

  mayHave(place: number, bits: number): boolean {
    const words = this.#words;
    const block = this.#blockAt(place);
    for (let shift = 0; shift < 32; shift += 8) {
      const bit = (bits >>> shift) & 0xff;
      if (((words[block + (bit >>> 5)] ?? 0) & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }

  #blockAt(place: number): number {
    return Math.floor(((place >>> 0) / 2 ** 32) * this.#blocks) * BLOCK_WORDS;
  }
}
