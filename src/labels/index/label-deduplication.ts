import { type Label, riskBy } from "../label.ts";
import { imitable } from "./imitable.ts";
import { type LabelTable, subjectKey } from "./label-table.ts";

/** Parts that grow independently. So no label waits for a million entries to be moved at once. */
const PARTS = 256;
const FIRST_PLACES = 16;

interface Part {
  /** Ordinal in the table + 1, 0 where there is none: open addressing, at most half full. */
  places: Uint32Array;
  count: number;
}

/**
 * The relation of a label to earlier labels. `elsewhere`: an earlier label has the kind and address on another chain or
 * at a lower risk.
 */
export type LabelNovelty = "new" | "elsewhere" | "known";

/**
 * The labels in a table. An accusation holds in its whole family, so kind and address identify it. Tokens and excusing
 * labels are compared per chain.
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

  /** Classifies the label. Unless the label is known, the caller must add it to the table next. */
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
    // A higher risk is news on any chain.
    const isNews = riskBy(label.kind, label.riskLevel) > riskBy(label.kind, table.riskAt(at));
    if (label.kind === "token" && chain?.id !== label.chain.id) return "new";
    if (isNews && chain?.family === label.chain.family) return "elsewhere";
    if (label.kind === "token") return "known";
    if (chain?.family !== label.chain.family) return "new";
    const isCovered = table.isEverywhereAt(at) || (chain.id === label.chain.id && label.everywhere !== true);
    return isCovered || imitable[label.kind] === "never" ? "known" : "elsewhere";
  }

  /** The newest label has `newestKey`. The table does not hold it yet. */
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
