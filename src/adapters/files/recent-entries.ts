/** Entries of one generation, and slots for them: a quarter of the slots stays free, so that a search ends soon. */
const CAPACITY = 196_608;
const SLOTS = 262_144;

/**
 * The last entries seen, each of so many 32-bit words, exactly, in bounded memory: at least the last 196,608 and at most
 * twice as many, in 1 MiB a word at a time. The table is taken when the first one comes.
 */
export class RecentEntries {
  readonly #words: number;
  #young: Uint32Array | undefined;
  #old: Uint32Array | undefined;
  #count = 0;

  /** @param words of an entry. */
  constructor(words: number) {
    this.#words = words;
  }

  /** @param entry evenly spread; its last word is not 0, which stands for a free slot. @returns whether it was new. */
  add(entry: Uint32Array): boolean {
    const words = this.#words;
    if (this.#old !== undefined && isTaken(this.#old, slotOf(this.#old, entry, words), words)) return false;
    this.#young ??= new Uint32Array(SLOTS * words);
    const at = slotOf(this.#young, entry, words);
    if (isTaken(this.#young, at, words)) return false;
    for (let i = 0; i < words; i++) this.#young[at + i] = entry[i] ?? 0;
    if (++this.#count >= CAPACITY) {
      this.#old = this.#young;
      this.#young = undefined;
      this.#count = 0;
    }
    return true;
  }
}

/** Where this entry stands, or would stand. */
function slotOf(table: Uint32Array, entry: Uint32Array, words: number): number {
  for (let slot = (entry[0] ?? 0) % SLOTS; ; slot = (slot + 1) % SLOTS) {
    const at = slot * words;
    if (!isTaken(table, at, words) || isAt(table, at, entry, words)) return at;
  }
}

function isTaken(table: Uint32Array, at: number, words: number): boolean {
  return table[at + words - 1] !== 0;
}

function isAt(table: Uint32Array, at: number, entry: Uint32Array, words: number): boolean {
  for (let i = 0; i < words; i++) if (table[at + i] !== entry[i]) return false;
  return true;
}
