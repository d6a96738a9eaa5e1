import { ForgottenEntries } from "./forgotten-entries.ts";
import { RecentEntries } from "./recent-entries.ts";

/** 32-bit words of an id that are kept: 128 bits, so that no two ids are ever taken for one. */
const WORDS = 4;

/**
 * The ids of verdicts on events that brought an id of their own: an event whose id is here already has its verdict. Those
 * of the last are in memory (`RecentEntries`), those before them in a file (`ForgottenEntries`): they take
 * 24 MiB of memory for up to 12.6 million of them, and 16 more for as many again; 21 bytes of disk each.
 */
export class SeenIds {
  readonly #forgotten: ForgottenEntries;
  readonly #recent: RecentEntries;
  /** Of the id that is looked for: ids come by the hundred thousand. */
  readonly #words = new Uint32Array(WORDS);

  /** @param path of the file, which is there only while it is opened. */
  constructor(path: string) {
    this.#forgotten = new ForgottenEntries(path);
    this.#recent = new RecentEntries(WORDS, (table) => this.#forgotten.add(table));
  }

  /** @param id SHA-256 in hex. @returns whether it was new. @throws {OutputUnwritableError} */
  add(id: string): boolean {
    readWords(id, this.#words);
    return this.#recent.add(this.#words) && !this.#forgotten.has(this.#words);
  }

  close(): void {
    this.#forgotten.close();
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
