/** Ids of one generation, and slots for them: a quarter of the slots stays free, so that a search ends soon. */
const CAPACITY = 196_608;
const SLOTS = 262_144;
/** 32-bit words of an id that are kept: 128 bits, so that no two ids are ever taken for one. */
const WORDS = 4;

/**
 * The last ids seen, exactly, in bounded memory: at least the last 196,608 and at most twice as many, in at most 8 MiB.
 * The table is taken when the first id comes.
 */
export class RecentIds {
  #young: Uint32Array | undefined;
  #old: Uint32Array | undefined;
  #count = 0;

  /** @param id SHA-256 in hex. @returns whether it was new. */
  add(id: string): boolean {
    const words = wordsOf(id);
    if (this.#old !== undefined && slotOf(this.#old, words).found) return false;
    this.#young ??= new Uint32Array(SLOTS * WORDS);
    const { at, found } = slotOf(this.#young, words);
    if (found) return false;
    this.#young.set(words, at);
    if (++this.#count >= CAPACITY) {
      this.#old = this.#young;
      this.#young = undefined;
      this.#count = 0;
    }
    return true;
  }
}

/** The words of an id; the last is never 0, which stands for a free slot. */
function wordsOf(id: string): readonly number[] {
  const word = (i: number) => Number.parseInt(id.slice(8 * i, 8 * i + 8), 16);
  return [word(0), word(1), word(2), word(3) || 1];
}

function slotOf(table: Uint32Array, words: readonly number[]): { readonly at: number; readonly found: boolean } {
  for (let slot = (words[0] ?? 0) % SLOTS; ; slot = (slot + 1) % SLOTS) {
    const at = slot * WORDS;
    if (table[at + WORDS - 1] === 0) return { at, found: false };
    if (words.every((word, i) => table[at + i] === word)) return { at, found: true };
  }
}
