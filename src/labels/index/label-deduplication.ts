import { type Label, riskBy } from "../label.ts";
import { imitable } from "./imitable.ts";
import { type LabelTable, subjectKey } from "./label-table.ts";

/** Parts that grow each on its own, so that no label waits until a million places have been found anew. */
const PARTS = 256;
const FIRST_PLACES = 16;

interface Part {
  /** Ordinal in the table + 1, 0 where there is none: open addressing, at most half full. */
  places: Uint32Array;
  count: number;
}

/** What a label is to those before it: `elsewhere` one of them says so of its address, on another chain or at a lower risk. */
export type LabelNovelty = "new" | "elsewhere" | "known";

/**
 * Which labels a table holds. What accuses holds in its family, so that its kind and address say all; what excuses, and a
 * token, is the same on the same chain only.
 */
export class LabelDeduplication {
  readonly #table: LabelTable;
  readonly #parts: readonly Part[] = Array.from({ length: PARTS }, () => ({
    places: new Uint32Array(FIRST_PLACES),
    count: 0,
  }));

  constructor(table: LabelTable) {
    this.#table = table;
  }

  /** What the label is. Unless it is known, whoever asks adds it to the table next. */
  see(label: Label): LabelNovelty {
    const subject = label.kind === "site" ? label.host : label.address;
    const key = subjectKey(subject);
    const part = this.#parts[key >>> 24];
    if (part === undefined) throw new Error(`no part for key ${key}`);
    const mask = part.places.length - 1;
    let place = key & mask;
    let seen: LabelNovelty = "new";
    for (let taken = part.places[place] ?? 0; taken > 0; taken = part.places[place] ?? 0) {
      const before = this.#compare(taken - 1, key, subject, label);
      if (before === "known") return before;
      if (before === "elsewhere") seen = before;
      place = (place + 1) & mask;
    }
    part.places[place] = this.#table.length + 1;
    part.count++;
    if (part.count * 2 > part.places.length) this.#grow(part, key);
    return seen;
  }

  #compare(at: number, key: number, subject: string, label: Label): LabelNovelty {
    const table = this.#table;
    if (table.keyAt(at) !== key || table.kindAt(at) !== label.kind || table.subjectAt(at) !== subject) return "new";
    if (label.kind === "site") return "known";
    const chain = table.chainAt(at);
    // What tells a higher risk is news, wherever it holds.
    const isNews = riskBy(label.kind, label.riskLevel) > riskBy(label.kind, table.riskAt(at));
    if (label.kind === "token" && chain?.id !== label.chain.id) return "new";
    if (isNews && chain?.family === label.chain.family) return "elsewhere";
    if (label.kind === "token") return "known";
    if (chain?.family !== label.chain.family) return "new";
    const isCovered = table.isEverywhereAt(at) || (chain.id === label.chain.id && label.everywhere !== true);
    return isCovered || imitable[label.kind] === "never" ? "known" : "elsewhere";
  }

  /** The newest label has `newestKey`; the table does not hold it yet. */
  #grow(part: Part, newestKey: number): void {
    const places = new Uint32Array(2 * part.places.length);
    const mask = places.length - 1;
    for (const taken of part.places) {
      if (taken === 0) continue;
      const key = taken - 1 === this.#table.length ? newestKey : this.#table.keyAt(taken - 1);
      let place = key & mask;
      while ((places[place] ?? 0) > 0) place = (place + 1) & mask;
      places[place] = taken;
    }
    part.places = places;
  }
}
