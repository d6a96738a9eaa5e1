import { filledIn, type ListEntry } from "../../../../labels/import/list-entry.ts";
import { CsvRows } from "../label-rows.ts";
import type { ListSource, Unsaid } from "./list-source.ts";

/** A label file: CSV with the columns chain, address, name and kind, and the optional columns. */
export async function* labelCsv(list: ListSource, unsaid: Unsaid): AsyncGenerator<ListEntry> {
  const rows = new CsvRows();
  for await (const piece of list.pieces()) for (const row of rows.push(piece)) yield filledIn(row, unsaid);
  for (const row of rows.end()) yield filledIn(row, unsaid);
  unsaid.onUnread?.(rows.unread);
}
