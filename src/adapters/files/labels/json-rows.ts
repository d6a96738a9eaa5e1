import { repeatedKey } from "../../../kernel/json.ts";
import type { LabelRow } from "../../../labels/import/label-row.ts";
import type { SourceRow } from "../../../labels/import/label-sifter.ts";
import { mayAccuse } from "../../../labels/import/refused-row.ts";
import { type JsonElement, JsonElements } from "./json-elements.ts";
import { columnNamed, quotedName, refuseMisread, unreadAmong } from "./label-columns.ts";
import type { RowReader } from "./label-rows.ts";

/**
 * Most unread keys that are kept for a report. Chosen: an ordinary file has tens of keys, and the keys must not fill
 * the memory.
 */
const MOST_UNREAD = 100;

/**
 * Rows of a JSON file, an array of objects; `line` is the row's position in the array. Throws {Error} for the faults of
 * `JsonElements`, and for keys with an ambiguous meaning.
 */
export class JsonRows implements RowReader {
  readonly #elements = new JsonElements("objects, one a label");
  readonly #unread = new Set<string>();
  /** Keys of the last row, and whether each equals the name of its column. Rows of one file have the same keys. */
  #keys: readonly string[] = [];
  #areOurs = true;

  get unread(): readonly string[] {
    return [...this.#unread];
  }

  *push(text: string): Generator<SourceRow> {
    for (const element of this.#elements.push(text)) yield this.#rowOf(element);
  }

  end(): readonly SourceRow[] {
    this.#elements.end();
    return [];
  }

  #rowOf({ place: line, value, text, members }: JsonElement): SourceRow {
    if (!isRow(value)) return noObject(line, text);
    const keys = Object.keys(value);
    if (members > keys.length) refuseTwice(line, text);
    if (!isEqual(keys, this.#keys)) this.#look(line, keys);
    return { line, row: this.#areOurs ? value : renamed(value) };
  }

  #look(line: number, keys: readonly string[]): void {
    refuseMisread(keys, (at) => `the key ${quotedName(keys[at] ?? "")} of row ${line}`);
    for (const key of unreadAmong(keys)) if (this.#unread.size < MOST_UNREAD) this.#unread.add(key);
    this.#areOurs = keys.every((key) => (columnNamed(key) ?? key) === key);
    this.#keys = keys;
  }
}

function noObject(line: number, text: string): SourceRow {
  const unreadable = "row: must be an object";
  const accuses = mayAccuse(text.split(/[\s,[\]]+/), false);
  return accuses ? { line, unreadable, accuses } : { line, unreadable };
}

/** The parser of JSON keeps only the last value of a repeated key. */
function refuseTwice(line: number, text: string): void {
  const key = repeatedKey(text);
  if (key === undefined || columnNamed(key) === undefined) return;
  throw new Error(`row ${line} gives the key ${quotedName(key)} twice: take out one of them`);
}

function renamed(row: LabelRow): LabelRow {
  return Object.fromEntries(Object.entries(row).map(([key, cell]) => [columnNamed(key) ?? key, cell]));
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, i) => key === other[i]);
}

function isRow(value: unknown): value is LabelRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
