import { type AddressBook, type ListInUse, listSetId } from "./address-book.ts";

/** A set of lists as the archive spells it out once; verdicts name it by its id. */
export interface ListSet {
  /** Below the archive's root. */
  readonly key: string;
  readonly json: string;
}

/** @returns undefined for a book without lists. */
export function listSetOf({ id, lists }: AddressBook): ListSet | undefined {
  if (id === undefined) return undefined;
  return { key: listSetKey(id), json: jsonOf(id, lists) };
}

/** The folder of sets in an archive. */
export const LIST_SETS = "lists/";

/** Where the archive spells out the set with this id. */
export function listSetKey(id: string): string {
  return `${LIST_SETS}${id}.json`;
}

/**
 * Why a text does not spell out the set with this id: the names and hashes in it must give the id, and nothing else may stand
 * there. Dates and numbers of entries follow from the files, and are no part of an id. @returns undefined when it does.
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
    // No JSON, so no set of lists either.
    return undefined;
  }
}

function isRow(row: unknown): row is ListRow {
  const { name, sha256, date, entries } = Object(row);
  return [name, sha256, date].every((text) => typeof text === "string") && Number.isSafeInteger(entries);
}

/** Age of a list by its date, milliseconds. A list that is dated in a time zone ahead is no older than nothing. */
export function listAgeMs({ date }: { readonly date: string }, now: number): number {
  return Math.max(0, now - Date.parse(date));
}
