import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { OutputUnwritableError, toError } from "../../../kernel/errors.ts";
import { type EventTable, entryIn, firstSlot, hasId, isOf, slotsFor } from "./event-table.ts";
import { ID_WORDS } from "./event-words.ts";
import { IdFilter } from "./id-filter.ts";

/** Slots that are read at once. A search needs 8 on average to find that an id is absent. */
const READ_SLOTS = 64;
const ID_BYTES = 4 * ID_WORDS;
/**
 * Tables per filter: of the first filter, and of the largest. Those filters take 1 and 16 MiB. Each filter covers three
 * times as many tables as all filters before it. So a short file takes little memory, and a long file has few filters.
 */
const [FIRST_TABLES, MOST_TABLES] = [4, 64];

/** A run of consecutive tables in the file, and the filter over their ids. */
interface Part {
  readonly first: number;
  readonly tables: number;
  readonly filter: IdFilter;
}

/**
 * The exact ids of events that have no room in memory any more. Their tables are in a file without a name, which ends
 * with this process. Filters in memory recognise nearly all absent ids. So the file is hardly ever read for an id that
 * is absent.
 */
export class ForgottenIds {
  readonly #path: string;
  readonly #capacity: number;
  readonly #slots: number;
  readonly #parts: Part[] = [];
  readonly #someSlots = new Int32Array(READ_SLOTS);
  readonly #id = new Int32Array(ID_WORDS);
  #file: number | undefined;
  #tables = 0;

  /** @param path at which the file is made for the first table. @param capacity of each table. */
  constructor(path: string, capacity: number) {
    this.#path = path;
    this.#capacity = capacity;
    this.#slots = slotsFor(capacity);
  }

  /** @param table that is full; the call overwrites its slots. @throws {OutputUnwritableError} */
  add(table: EventTable): void {
    table.indexById();
    const { slots, ids } = table;
    const filter = this.#filter();
    for (let at = 0; at < ids.length; at += ID_WORDS) filter.add(ids[at + 1] ?? 0, ids[at + 2] ?? 0);
    const position = this.#tables * this.#tableBytes;
    this.#write(slots, position);
    this.#write(ids, position + slots.byteLength);
    this.#tables++;
  }

  /** @param event as for `EventWords`. @throws {OutputUnwritableError} */
  has(event: Int32Array): boolean {
    for (const { first, tables, filter } of this.#parts) {
      if (!filter.mayHave(event[1] ?? 0, event[2] ?? 0)) continue;
      const end = Math.min(first + tables, this.#tables);
      for (let table = first; table < end; table++) if (this.#isIn(table, event)) return true;
    }
    return false;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  get #tableBytes(): number {
    return 4 * this.#slots + ID_BYTES * this.#capacity;
  }

  /** The filter for the next table. */
  #filter(): IdFilter {
    const last = this.#parts.at(-1);
    const first = this.#tables;
    if (last !== undefined && first < last.first + last.tables) return last.filter;
    const tables = last === undefined ? FIRST_TABLES : Math.min(3 * first, MOST_TABLES);
    const filter = new IdFilter(tables * this.#capacity);
    this.#parts.push({ first, tables, filter });
    return filter;
  }

  #isIn(table: number, event: Int32Array): boolean {
    const some = this.#someSlots;
    const hash = event[0] ?? 0;
    const slotsAt = table * this.#tableBytes;
    const idsAt = slotsAt + 4 * this.#slots;
    for (let at = firstSlot(hash, this.#slots); ; ) {
      const count = Math.min(READ_SLOTS, this.#slots - at);
      this.#read(some, 4 * count, slotsAt + 4 * at);
      for (let i = 0; i < count; i++) {
        const slot = some[i] ?? 0;
        if (slot === 0) return false;
        if (!isOf(slot, hash)) continue;
        this.#read(this.#id, ID_BYTES, idsAt + ID_BYTES * entryIn(slot));
        if (hasId(this.#id, 0, event)) return true;
      }
      at = (at + count) % this.#slots;
    }
  }

  #read(into: Int32Array, bytes: number, position: number): void {
    for (let done = 0; done < bytes; ) {
      const read = this.#io((file) => readSync(file, into, done, bytes - done, position + done));
      if (read === 0) throw new Error("the file of forgotten ids is shorter than what was written");
      done += read;
    }
  }

  #write(from: Int32Array, position: number): void {
    for (let done = 0; done < from.byteLength; )
      done += this.#io((file) => writeSync(file, from, done, from.byteLength - done, position + done));
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

/** No other process sees a file without a name, and a killed process leaves no file behind. */
function openNameless(path: string): number {
  const file = openSync(path, "w+", 0o600);
  unlinkSync(path);
  return file;
}
