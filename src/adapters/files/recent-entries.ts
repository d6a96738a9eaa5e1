/** Entries of one generation, and slots for them: a quarter of the slots stays free, so that a search ends soon. */
const CAPACITY = 196_608;
export const SLOTS = 262_144;

/**
 * The last entries seen, each of so many 32-bit words, exactly, in bounded memory: at least the last 196,608 and at most
 * twice as many, in 1 MiB a word at a time. The table is taken when the first one comes.
 */
export class RecentEntries {
  readonly #words: number;
  readonly #onForgotten: (table: Uint32Array) => void;
  #young: Uint32Array | undefined;
  #old: Uint32Array | undefined;
  #count = 0;

  /** @param words of an entry. @param onForgotten told of the entries that have no room any more. */
  constructor(words: number, onForgotten: (table: Uint32Array) => void = () => {}) {
    this.#words = words;
    this.#onForgotten = onForgotten;
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
      const forgotten = this.#old;
      if (forgotten !== undefined) this.#onForgotten(forgotten);
      this.#old = this.#young;
      // A new one each time would be garbage that is seldom collected.
      this.#young = forgotten?.fill(0);
      this.#count = 0;
    }
    return true;
  }
}

/** Where this entry stands, or would stand. */
function slotOf(table: Uint32Array, entry: Uint32Array, words: number): number {
  for (let slot = slotIn(entry); ; slot = (slot + 1) % SLOTS) {
    const at = slot * words;
    if (!isTaken(table, at, words) || isAt(table, at, entry, words)) return at;
  }
}

/** Where the search for an entry begins. */
export function slotIn(entry: Uint32Array): number {
  return (entry[0] ?? 0) % SLOTS;
}

export function isTaken(table: Uint32Array, at: number, words: number): boolean {
  return table[at + words - 1] !== 0;
}

export function isAt(table: Uint32Array, at: number, entry: Uint32Array, words: number): boolean {
  for (let i = 0; i < words; i++) if (table[at + i] !== entry[i]) return false;
  return true;
}
