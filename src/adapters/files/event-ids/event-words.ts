import type { Random } from "../../../kernel/retry.ts";

/** 32-bit words of a verdict's id that are kept: 128 bits, so that no two ids are ever taken for one. They are the first. */
export const ID_WORDS = 4;
/** Which of the words are the name's: one to find it by, and another to tell it from those that are found by the same. */
export const NAME = 4;
export const NAME_CHECK = 5;
const WORDS = 6;
/** Ends a tenant and a name: no code unit, so that no other pair reads the same. */
const END = 0x10000;
/** Of FNV-1a, and 2^32 by the golden ratio (Knuth, TAOCP 3, section 6.4). Both are odd, so nothing is lost by them. */
const [FIRST_FACTOR, SECOND_FACTOR] = [0x01000193, 0x9e3779b1];

/**
 * Reads events into words: a verdict's id, exactly, and the name that a tenant gave the event, by 64 bits under a seed of
 * this run. The first word of the id is turned into another one by a seed, too: no producer can choose ids that are all
 * looked for in one place.
 */
export class EventWords {
  /** Of the event that was read last: they come by the hundred thousand. */
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
    // As UTF-8 has it, which a verdict's id is made of: the same id is of the same name here, too.
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

/** Of eight digits of lower-case hex. By hand: no piece of text is made, and no branch depends on a digit. */
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

/** Each bit of the result depends on each of `word`, and no two words become one. Source: the finalizer of MurmurHash3, public domain. */
function mixed(word: number): number {
  let mix = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return mix ^ (mix >>> 16);
}
