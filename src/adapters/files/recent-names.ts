import type { Random } from "../../kernel/random.ts";
import { RecentEntries } from "./recent-entries.ts";

const WORDS = 2;
/** Between a tenant and a name: no code unit, so that no other pair reads the same. */
const BETWEEN = 0x10000;
/** Of FNV-1a, and 2^32 by the golden ratio (Knuth, TAOCP 3, section 6.4). Both are odd, so nothing is lost by them. */
const [FIRST_FACTOR, SECOND_FACTOR] = [0x01000193, 0x9e3779b1];

/**
 * The last names that tenants gave their events, as `RecentEntries` has them, each by 64 bits under a seed of this run. Two
 * may be taken for one, once in many millions of millions: for a count that somebody is shown, and for nothing else.
 */
export class RecentNames {
  readonly #entries = new RecentEntries(WORDS);
  readonly #words = new Uint32Array(WORDS);
  readonly #firstSeed: number;
  readonly #secondSeed: number;

  constructor(random: Random) {
    this.#firstSeed = Math.floor(random() * 2 ** 32) | 0;
    this.#secondSeed = Math.floor(random() * 2 ** 32) | 0;
  }

  /** @returns whether it was new. */
  add(tenant: string, name: string): boolean {
    let first = this.#firstSeed;
    let second = this.#secondSeed;
    for (let i = 0; i < tenant.length; i++) {
      const code = tenant.charCodeAt(i);
      first = Math.imul(first ^ code, FIRST_FACTOR);
      second = Math.imul(turned(second) ^ code, SECOND_FACTOR);
    }
    first = Math.imul(first ^ BETWEEN, FIRST_FACTOR);
    second = Math.imul(turned(second) ^ BETWEEN, SECOND_FACTOR);
    for (let i = 0; i < name.length; i++) {
      const code = name.charCodeAt(i);
      first = Math.imul(first ^ code, FIRST_FACTOR);
      second = Math.imul(turned(second) ^ code, SECOND_FACTOR);
    }
    this.#words[0] = mixed(first);
    this.#words[1] = mixed(second) || 1;
    return this.#entries.add(this.#words);
  }
}

function turned(word: number): number {
  return (word << 5) | (word >>> 27);
}

/** Each bit of the result depends on each of `word`. Source: the finalizer of MurmurHash3, public domain. */
function mixed(word: number): number {
  let mix = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return mix ^ (mix >>> 16);
}
