/** Parts of the set. Each part grows by itself, so growing copies a small share of the memory. */
const PARTS = 256;
const FIRST_SLOTS = 64;
/** Chosen: above this share, probing takes longer than a larger part would. */
const MAX_LOAD = 0.85;
/** Chosen: doubling would leave more than half of the memory empty. */
const GROWTH = 1.5;
const WORDS_PER_ID = 2;
const HEX = 16;

/**
 * A set of verdict ids that takes 9 to 14 bytes an id. It keeps 64 bits of each id, which is a SHA-256. Two of ten
 * million ids are equal in these bits with a chance below 1 in 300,000.
 */
export class VerdictIds {
  readonly #slots: Uint32Array[] = Array.from({ length: PARTS }, () => new Uint32Array(FIRST_SLOTS * WORDS_PER_ID));
  readonly #sizes = new Uint32Array(PARTS);

  /** @param id 64 hex digits. @returns false when the set had the id already. */
  add(id: string): boolean {
    const [high, low] = wordsOf(id);
    const part = high >>> 24;
    const size = this.#sizes[part] ?? 0;
    let slots = this.#slots[part] ?? new Uint32Array();
    if ((size + 1) * WORDS_PER_ID > slots.length * MAX_LOAD) {
      slots = grown(slots);
      this.#slots[part] = slots;
    }
    const at = slotOf(slots, high, low);
    if (slots[at + 1] !== 0) return false;
    slots[at] = high;
    slots[at + 1] = low;
    this.#sizes[part] = size + 1;
    return true;
  }

  has(id: string): boolean {
    const [high, low] = wordsOf(id);
    const slots = this.#slots[high >>> 24] ?? new Uint32Array();
    return slots[slotOf(slots, high, low) + 1] !== 0;
  }
}

function wordsOf(id: string): readonly [high: number, low: number] {
  // An empty slot is 0.
  return [Number.parseInt(id.slice(0, 8), HEX), Number.parseInt(id.slice(8, 16), HEX) || 1];
}

/** The position of an id, or of the empty slot where it belongs. */
function slotOf(slots: Uint32Array, high: number, low: number): number {
  const count = slots.length / WORDS_PER_ID;
  for (let slot = low % count; ; slot = slot + 1 === count ? 0 : slot + 1) {
    const at = slot * WORDS_PER_ID;
    if (slots[at + 1] === 0 || (slots[at] === high && slots[at + 1] === low)) return at;
  }
}

function grown(slots: Uint32Array): Uint32Array {
  const larger = new Uint32Array(Math.ceil((slots.length / WORDS_PER_ID) * GROWTH) * WORDS_PER_ID);
  for (let at = 0; at < slots.length; at += WORDS_PER_ID) {
    const [high = 0, low = 0] = slots.subarray(at, at + WORDS_PER_ID);
    if (low === 0) continue;
    const to = slotOf(larger, high, low);
    larger[to] = high;
    larger[to + 1] = low;
  }
  return larger;
}
