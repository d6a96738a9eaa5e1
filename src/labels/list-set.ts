import { type AddressBook, type ListInUse, listSetId } from "./address-book.ts";

/** A set of lists, stored once in the archive. Verdicts name it by its id. */
export interface ListSet {
  /** The key below the root of the archive. */
  readonly key: string;
  readonly json: string;
}

/** @returns undefined for a book without lists. */
export function listSetOf({ id, lists }: AddressBook): ListSet | undefined {
  if (id === undefined) return undefined;
  return { key: listSetKey(id), json: jsonOf(id, lists) };
}

/** The folder of list sets in an archive. */
export const LIST_SETS = "lists/";

/** The key under which the archive stores the set with this id. */
export function listSetKey(id: string): string {
  return `${LIST_SETS}${id}.json`;
}

/**
 * The reason why a text is not the set with this id. The names and hashes in the text must give the id, and nothing
 * else may be added. Dates and numbers of entries follow from the files and are no part of the id. @returns undefined
 * when the text is the set.
 */
export function listSetFault(id: string, text: string): string | undefined {
  const rows = rowsIn(text);
  if (rows === undefined) return "it is no set of lists";
  const own = listSetId(rows);
  if (own !== id) return `the names and hashes in it are those of the set ${own}`;
  return jsonOf(id, rows) === text ? undefined : "it holds more than a set of lists, or is written in another way";
}

type ListRow = Pick<ListInUse, "name" | "sha256" | "date" | "entries">;

function jsonOf(id: string, lists: readonly ListRow[]): string {
  const rows = lists.map(({ name, sha256, date, entries }) => ({ name, sha256, date, entries }));
  return `${JSON.stringify({ schema: "weir.lists/1", id, lists: rows }, undefined, 2)}\n`;
}

function rowsIn(text: string): readonly ListRow[] | undefined {
  try {
    const { lists } = Object(JSON.parse(text));
    return Array.isArray(lists) && lists.every(isRow) ? lists : undefined;
  } catch {
    // Text that is no JSON is no set of lists.
    return undefined;
  }
}

function isRow(row: unknown): row is ListRow {
  const { name, sha256, date, entries } = Object(row);
  return [name, sha256, date].every((text) => typeof text === "string") && Number.isSafeInteger(entries);
}

/** Age of a list by its date, milliseconds. A list dated in a time zone ahead has the age 0. */
export function listAgeMs({ date }: { readonly date: string }, now: number): number {
  return Math.max(0, now - Date.parse(date));
}
