import type { Random } from "../../../kernel/retry.ts";
import { EventTable, type Sight } from "./event-table.ts";
import { EventWords } from "./event-words.ts";
import { ForgottenIds } from "./forgotten-ids.ts";

/** Events in one table. */
const CAPACITY = 196_608;

/**
 * The events of a run that brought an id of their own: whether one was there before, exactly, however far back, and whether
 * another was, lately, to which its tenant gave the same id. The last 196,608 at least, and at most twice as many, are in
 * memory, 4.75 MiB for each 196,608; those before them in a file (`ForgottenIds`), 21 bytes each, with filters in memory: 1 MiB
 * up to 1.2 million events, 4 up to 3.5, 16 up to 13 million, and 16 more for each 12.6 million after.
 */
export class EventDeduplication {
  readonly #capacity: number;
  readonly #event: EventWords;
  readonly #forgotten: ForgottenIds;
  #young: EventTable;
  #old: EventTable | undefined;

  /**
   * @param path of the file, which is there only while it is opened.
   * @param capacity of a table, as of `EventTable`.
   */
  constructor(path: string, random: Random, capacity = CAPACITY) {
    this.#capacity = capacity;
    this.#event = new EventWords(random);
    this.#forgotten = new ForgottenIds(path, capacity);
    this.#young = new EventTable(capacity);
  }

  /** @param verdictId SHA-256 in hex, of tenant, name and what the event says. @throws {OutputUnwritableError} */
  add(tenant: string, name: string, verdictId: string): Sight {
    this.#event.read(tenant, name, verdictId);
    const { words } = this.#event;
    const inYoung = this.#young.look(words);
    if (inYoung === "repeated") return inYoung;
    const inOld = this.#old?.look(words) ?? "new";
    if (inOld === "repeated") return inOld;
    const isForgotten = this.#forgotten.has(words);
    // What was forgotten is remembered anew: its name was seen now, and the file need not be read when it comes once more.
    this.#young.add(words);
    if (this.#young.isFull) this.#turnOver();
    if (isForgotten) return "repeated";
    return inYoung === "new" ? inOld : inYoung;
  }

  close(): void {
    this.#forgotten.close();
  }

  #turnOver(): void {
    const forgotten = this.#old;
    if (forgotten !== undefined) {
      this.#forgotten.add(forgotten);
      forgotten.clear();
    }
    this.#old = this.#young;
    // A new one each time would be garbage that is seldom collected.
    this.#young = forgotten ?? new EventTable(this.#capacity);
  }
}
