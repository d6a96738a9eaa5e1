import type { ListEntry } from "../../../labels/list-entry.ts";
import { CsvRows } from "../label-rows.ts";
import type { ListSource } from "./list-source.ts";

/** A label file: CSV with the columns chain, address, name and kind, and those that may be absent. */
export async function* labelCsv(list: ListSource): AsyncGenerator<ListEntry> {
  const rows = new CsvRows();
  for await (const piece of list.pieces()) yield* rows.push(piece);
  yield* rows.end();
}
