import type { Random } from "../../../kernel/retry.ts";

/** 32-bit words of a verdict id that are kept: the first 128 bits. They are enough to tell any two ids apart. */
export const ID_WORDS = 4;
/**
 * Positions of the two words of the name. An entry is found by the first word; the second word tells names apart that
 * share the first.
 */
export const NAME = 4;
export const NAME_CHECK = 5;
const WORDS = 6;
/** Separator after a tenant and after a name. It is no code unit, so no two pairs give the same sequence. */
const END = 0x10000;
/**
 * The prime of FNV-1a, and 2^32 divided by the golden ratio (Knuth, TAOCP 3, section 6.4). Both are odd, so
 * multiplication loses no bits.
 */
const [FIRST_FACTOR, SECOND_FACTOR] = [0x01000193, 0x9e3779b1];

/**
 * Converts events into words. A verdict id is kept exactly. The name that a tenant gave the event becomes 64 bits under
 * a random seed of this run. A seed also changes the first word of the id, so no producer can choose ids that all
 * collide in one slot.
 */
export class EventWords {
  /** The words of the last event that was read. They are reused, since events come by the hundred thousand. */
  readonly words = new Int32Array(WORDS);
  readonly #idSeed: number;
  readonly #nameSeed: number;
  readonly #checkSeed: number;

  constructor(random: Random) {
    const seed = () => Math.floor(random() * 2 ** 32) | 0;
    this.#idSeed = seed();
    this.#nameSeed = seed();
    this.#checkSeed = seed();
  }

  /** @param id SHA-256 in hex. */
  read(tenant: string, name: string, id: string): void {
    const words = this.words;
    for (let i = 0; i < ID_WORDS; i++) words[i] = wordAt(id, 8 * i);
    words[0] = mixed((words[0] ?? 0) ^ this.#idSeed);
    words[NAME] = this.#nameSeed;
    words[NAME_CHECK] = this.#checkSeed;
    this.#hash(tenant);
    this.#hash(name);
    words[NAME] = mixed(words[NAME] ?? 0);
    words[NAME_CHECK] = mixed(words[NAME_CHECK] ?? 0);
  }

  #hash(given: string): void {
    // A verdict id is made from UTF-8, which replaces unpaired surrogates. The name is read in that form, so equal ids
    // imply equal names.
    const text = given.isWellFormed() ? given : given.toWellFormed();
    const words = this.words;
    let name = words[NAME] ?? 0;
    let check = words[NAME_CHECK] ?? 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      name = Math.imul(name ^ code, FIRST_FACTOR);
      check = Math.imul(turned(check) ^ code, SECOND_FACTOR);
    }
    words[NAME] = Math.imul(name ^ END, FIRST_FACTOR);
    words[NAME_CHECK] = Math.imul(turned(check) ^ END, SECOND_FACTOR);
  }
}

/**
 * Reads eight digits of lower-case hex. It is written by hand: it makes no substring, and no branch depends on a digit.
 */
function wordAt(id: string, from: number): number {
  let word = 0;
  for (let at = from; at < from + 8; at++) {
    const code = id.charCodeAt(at);
    word = (word << 4) | ((code & 0xf) + 9 * (code >>> 6));
  }
  return word;
}

function turned(word: number): number {
  return (word << 5) | (word >>> 27);
}

/**
 * Each bit of the result depends on each bit of `word`, and no two words give the same result. Source: the finalizer of
 * MurmurHash3, public domain.
 */
function mixed(word: number): number {
  let mix = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return mix ^ (mix >>> 16);
}
