import { RecentEntries } from "./recent-entries.ts";

/** 32-bit words of an id that are kept: 128 bits, so that no two ids are ever taken for one. */
const WORDS = 4;

/** The last ids of verdicts, as `RecentEntries` has them: an event whose id is here already has its verdict. */
export class RecentIds {
  readonly #entries = new RecentEntries(WORDS);
  /** Of the id that is looked for: ids come by the hundred thousand. */
  readonly #words = new Uint32Array(WORDS);

  /** @param id SHA-256 in hex. @returns whether it was new. */
  add(id: string): boolean {
    readWords(id, this.#words);
    return this.#entries.add(this.#words);
  }
}

/** The words of an id; the last is never 0. */
function readWords(id: string, words: Uint32Array): void {
  // By hand: for each line of a file, and no piece of text is made.
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
