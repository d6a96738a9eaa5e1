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
  /** Of the id that is looked for: ids come by the hundred thousand. */
  readonly #words = new Uint32Array(WORDS);

  /** @param id SHA-256 in hex. @returns whether it was new. */
  add(id: string): boolean {
    const words = this.#words;
    readWords(id, words);
    if (this.#old !== undefined && isTaken(this.#old, slotOf(this.#old, words))) return false;
    this.#young ??= new Uint32Array(SLOTS * WORDS);
    const at = slotOf(this.#young, words);
    if (isTaken(this.#young, at)) return false;
    for (let i = 0; i < WORDS; i++) this.#young[at + i] = words[i] ?? 0;
    if (++this.#count >= CAPACITY) {
      this.#old = this.#young;
      this.#young = undefined;
      this.#count = 0;
    }
    return true;
  }
}

/** The words of an id; the last is never 0, which stands for a free slot. */
function readWords(id: string, words: Uint32Array): void {
  // By hand: twice for each line of a file, and no piece of text is made.
  for (let i = 0; i < WORDS; i++) {
    let word = 0;
    for (let at = 8 * i; at < 8 * i + 8; at++) word = (word << 4) | digitAt(id, at);
    words[i] = word;
  }
  words[WORDS - 1] ||= 1;
}

/** Of lower-case hex. */
function digitAt(id: string, at: number): number {
  const code = id.charCodeAt(at);
  return code <= 0x39 ? code - 0x30 : code - 0x57;
}

/** Where the id of these words stands, or would stand. */
function slotOf(table: Uint32Array, words: Uint32Array): number {
  for (let slot = (words[0] ?? 0) % SLOTS; ; slot = (slot + 1) % SLOTS) {
    const at = slot * WORDS;
    if (!isTaken(table, at) || areAt(table, at, words)) return at;
  }
}

function isTaken(table: Uint32Array, at: number): boolean {
  return table[at + WORDS - 1] !== 0;
}

function areAt(table: Uint32Array, at: number, words: Uint32Array): boolean {
  for (let i = 0; i < WORDS; i++) if (table[at + i] !== words[i]) return false;
  return true;
}
