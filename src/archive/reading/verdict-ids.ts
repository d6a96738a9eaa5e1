/** Parts of the table. Each part grows by itself, so growing copies a small share of the memory. */
const PARTS = 256;
const FIRST_SLOTS = 64;
/** Chosen: above this share, probing takes longer than a larger part would. */
const MAX_LOAD = 0.85;
/** Chosen: doubling would leave more than half of the memory empty. */
const GROWTH = 1.5;
const WORDS_PER_ID = 2;
const WORD_DIGITS = 8;
const [DIGIT_0, LETTER_A] = [48, 97] as const;
/** The lowest bits of the second word hold the rank. */
const RANK_BITS = 3;
const RANK_MASK = 2 ** RANK_BITS - 1;

/**
 * A table of verdict ids with a rank from 0 to 7, in 9 to 14 bytes an id. It keeps 61 bits of each id, which is a
 * SHA-256. Two of a million ids that are not chosen for it are equal in these bits with a chance below 1 in 4 million.
 */
export class VerdictIds {
  readonly #seed: number;
  readonly #slots: Uint32Array[] = Array.from({ length: PARTS }, () => new Uint32Array(FIRST_SLOTS * WORDS_PER_ID));
  readonly #sizes = new Uint32Array(PARTS);

  /** @param seed Any 32 bits. Without them, a writer of ids could choose ids that all meet in one slot. */
  constructor(seed: number) {
    this.#seed = seed | 1;
  }

  /** @param id 64 hex digits. @returns the rank of the id that was there already; undefined for a new id. */
  add(id: string, rank: number): number | undefined {
    const [high, low] = wordsOf(id);
    const part = high >>> 24;
    const size = this.#sizes[part] ?? 0;
    let slots = this.#slots[part] ?? new Uint32Array();
    if ((size + 1) * WORDS_PER_ID > slots.length * MAX_LOAD) {
      slots = grown(slots, this.#seed);
      this.#slots[part] = slots;
    }
    const at = slotOf(slots, high, low, this.#seed);
    if (slots[at + 1] !== 0) return (slots[at + 1] ?? 0) & RANK_MASK;
    slots[at] = high;
    slots[at + 1] = low | rank;
    this.#sizes[part] = size + 1;
    return undefined;
  }

  /** The rank of an id. Undefined for one that is not there. */
  rankOf(id: string): number | undefined {
    const [high, low] = wordsOf(id);
    const slots = this.#slots[high >>> 24] ?? new Uint32Array();
    const kept = slots[slotOf(slots, high, low, this.#seed) + 1] ?? 0;
    return kept === 0 ? undefined : kept & RANK_MASK;
  }
}

/** The second word has no rank yet, and is never 0, which marks an empty slot. */
function wordsOf(id: string): readonly [high: number, low: number] {
  const low = (wordAt(id, WORD_DIGITS) & ~RANK_MASK) >>> 0;
  return [wordAt(id, 0), low === 0 ? RANK_MASK + 1 : low];
}

/** Eight hex digits, lower case. A third of the time that `parseInt` of a slice takes. */
function wordAt(id: string, at: number): number {
  let word = 0;
  for (let i = at; i < at + WORD_DIGITS; i++) {
    const code = id.charCodeAt(i);
    word = (word << 4) | (code < LETTER_A ? code - DIGIT_0 : code - LETTER_A + 10);
  }
  return word >>> 0;
}

/** The position of an id, or of the empty slot where it belongs. */
function slotOf(slots: Uint32Array, high: number, low: number, seed: number): number {
  const count = slots.length / WORDS_PER_ID;
  const mixed = Math.imul(Math.imul(high ^ seed, 0x9e3779b1) ^ low, seed);
  for (let slot = ((mixed ^ (mixed >>> 15)) >>> 0) % count; ; slot = slot + 1 === count ? 0 : slot + 1) {
    const at = slot * WORDS_PER_ID;
    const kept = slots[at + 1] ?? 0;
    if (kept === 0 || (slots[at] === high && kept >>> RANK_BITS === low >>> RANK_BITS)) return at;
  }
}

function grown(slots: Uint32Array, seed: number): Uint32Array {
  const larger = new Uint32Array(Math.ceil((slots.length / WORDS_PER_ID) * GROWTH) * WORDS_PER_ID);
  for (let at = 0; at < slots.length; at += WORDS_PER_ID) {
    const [high = 0, kept = 0] = slots.subarray(at, at + WORDS_PER_ID);
    if (kept === 0) continue;
    const to = slotOf(larger, high, (kept & ~RANK_MASK) >>> 0, seed);
    larger[to] = high;
    larger[to + 1] = kept;
  }
  return larger;
}
