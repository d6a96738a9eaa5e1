import type { SourceRow } from "../../labels/label-sifter.ts";
import { JsonElements } from "./json-elements.ts";
import type { RowReader } from "./label-rows.ts";

/** Rows of a JSON file, an array of objects; `line` is the row's place in it. Throws {Error} as `JsonElements`. */
export class JsonRows implements RowReader {
  readonly #elements = new JsonElements("objects, one a label");

  *push(text: string): Generator<SourceRow> {
    for (const { place: line, value } of this.#elements.push(text)) {
      yield isRow(value) ? { line, row: value } : { line, unreadable: "row: must be an object" };
    }
  }

  end(): readonly SourceRow[] {
    this.#elements.end();
    return [];
  }
}

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
