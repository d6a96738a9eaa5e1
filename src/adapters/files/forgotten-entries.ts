import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { OutputUnwritableError, toError } from "../../kernel/errors.ts";
import { isAt, isTaken, SLOTS, slotIn } from "./recent-entries.ts";

/** 32-bit words of an entry. */
const WORDS = 4;
const ENTRY_BYTES = 4 * WORDS;
const TABLE_BYTES = SLOTS * ENTRY_BYTES;
/** Read at once. An entry that is not there takes 8 slots to see, on average. */
const READ_SLOTS = 32;
/** A filter of 16 MiB, for so many tables: 12.6 million entries. Chosen: once it is full it is wrong of one new entry in a hundred. */
const FILTER_WORDS = 2 ** 22;
const FILTER_TABLES = 64;

/**
 * Entries that have no room in memory any more, exactly: their tables are in a file, which has no name and goes with this
 * process. A filter in memory (Bloom's, four bits of an entry, within one line of the processor's cache) says of nearly all
 * others that they are not there; so the file is hardly ever read but for what is in it.
 */
export class ForgottenEntries {
  readonly #path: string;
  readonly #filters: Uint32Array[] = [];
  readonly #chunk = new Uint32Array(READ_SLOTS * WORDS);
  #file: number | undefined;
  #tables = 0;

  /** @param path where the file is made, when the first table comes. */
  constructor(path: string) {
    this.#path = path;
  }

  /** @param table as of `RecentEntries`. @throws {OutputUnwritableError} */
  add(table: Uint32Array): void {
    const filter = this.#filterOf(this.#tables) ?? new Uint32Array(FILTER_WORDS);
    if (this.#tables % FILTER_TABLES === 0) this.#filters.push(filter);
    for (let at = 0; at < table.length; at += WORDS) {
      if (!isTaken(table, at, WORDS)) continue;
      const block = blockOf(table[at + 1] ?? 0);
      const bits = table[at + 2] ?? 0;
      for (let shift = 0; shift < 32; shift += 8) {
        const bit = (bits >>> shift) & 0xff;
        filter[block + (bit >>> 5)] = (filter[block + (bit >>> 5)] ?? 0) | (1 << (bit & 31));
      }
    }
    this.#write(table);
    this.#tables++;
  }

  /** @throws {OutputUnwritableError} */
  has(entry: Uint32Array): boolean {
    for (let i = 0; i < this.#filters.length; i++) {
      if (!mayHave(this.#filters[i], entry)) continue;
      const end = Math.min(this.#tables, (i + 1) * FILTER_TABLES);
      for (let table = i * FILTER_TABLES; table < end; table++) if (this.#isIn(table, entry)) return true;
    }
    return false;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #filterOf(table: number): Uint32Array | undefined {
    return this.#filters[Math.floor(table / FILTER_TABLES)];
  }

  #isIn(table: number, entry: Uint32Array): boolean {
    const chunk = this.#chunk;
    for (let slot = slotIn(entry); ; ) {
      const slots = Math.min(READ_SLOTS, SLOTS - slot);
      this.#read(chunk, slots * ENTRY_BYTES, table * TABLE_BYTES + slot * ENTRY_BYTES);
      for (let at = 0; at < slots * WORDS; at += WORDS) {
        if (!isTaken(chunk, at, WORDS)) return false;
        if (isAt(chunk, at, entry, WORDS)) return true;
      }
      slot = (slot + slots) % SLOTS;
    }
  }

  #read(into: Uint32Array, bytes: number, position: number): void {
    for (let done = 0; done < bytes; ) {
      const read = this.#io((file) => readSync(file, into, done, bytes - done, position + done));
      if (read === 0) throw new Error("the file of forgotten ids is shorter than what was written");
      done += read;
    }
  }

  #write(table: Uint32Array): void {
    const position = this.#tables * TABLE_BYTES;
    for (let done = 0; done < TABLE_BYTES; )
      done += this.#io((file) => writeSync(file, table, done, TABLE_BYTES - done, position + done));
  }

  #io(act: (file: number) => number): number {
    try {
      this.#file ??= openNameless(this.#path);
      return act(this.#file);
    } catch (thrown) {
      const error = toError(thrown);
      throw new OutputUnwritableError(
        `cannot keep the ids of events in ${this.#path}: ${error.message}`,
        {},
        { cause: error },
      );
    }
  }
}

/** Nobody else sees it, and a process that is killed leaves nothing. */
function openNameless(path: string): number {
  const file = openSync(path, "w+", 0o600);
  unlinkSync(path);
  return file;
}

/** Where the eight words begin, of as many as the filter has, that say whether an entry with this second word may be there. */
function blockOf(word: number): number {
  return (word >>> 13) * 8;
}

function mayHave(filter: Uint32Array | undefined, entry: Uint32Array): boolean {
  if (filter === undefined) return false;
  const block = blockOf(entry[1] ?? 0);
  const bits = entry[2] ?? 0;
  for (let shift = 0; shift < 32; shift += 8) {
    const bit = (bits >>> shift) & 0xff;
    if (((filter[block + (bit >>> 5)] ?? 0) & (1 << (bit & 31))) === 0) return false;
  }
  return true;
}
