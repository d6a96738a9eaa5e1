import type { Random } from "../../../kernel/retry.ts";
import { EventTable, type Sight } from "./event-table.ts";
import { EventWords } from "./event-words.ts";
import { ForgottenIds } from "./forgotten-ids.ts";

/** Most events in one table. */
const CAPACITY = 196_608;

/**
 * The events of a run that have an id from their producer. It tells whether the same event came before: exactly, and
 * from any earlier time. It also tells whether the tenant gave the same id to a different event recently. The latest
 * 196,608 to 393,216 events are in memory, 4.75 MiB for each 196,608. Earlier events are in a file (`ForgottenIds`), 21
 * bytes each. The filters of the file are in memory: 1 MiB up to 1.2 million events, 4 up to 3.5, 16 up to 13 million.
 * Each further 12.6 million events take 16 MiB more.
 */
export class EventDeduplication {
  readonly #capacity: number;
  readonly #event: EventWords;
  readonly #forgotten: ForgottenIds;
  #young: EventTable;
  #old: EventTable | undefined;

  /**
   * @param path of the file, which exists only while it is opened.
   * @param capacity of a table, as for `EventTable`.
   */
  constructor(path: string, random: Random, capacity = CAPACITY) {
    this.#capacity = capacity;
    this.#event = new EventWords(random);
    this.#forgotten = new ForgottenIds(path, capacity);
    this.#young = new EventTable(capacity);
  }

  /**
   * @param verdictId SHA-256 in hex, of the tenant, the name and the content of the event. @throws
   * {OutputUnwritableError}
   */
  add(tenant: string, name: string, verdictId: string): Sight {
    this.#event.read(tenant, name, verdictId);
    const { words } = this.#event;
    const inYoung = this.#young.look(words);
    if (inYoung === "repeated") return inYoung;
    const inOld = this.#old?.look(words) ?? "new";
    if (inOld === "repeated") return inOld;
    const isForgotten = this.#forgotten.has(words);
    // An event from the file goes back into memory, under its name. The file need not be read for its next copy.
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
    // A new table each time would be garbage that is seldom collected.
    this.#young = forgotten ?? new EventTable(this.#capacity);
  }
}
