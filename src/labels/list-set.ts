import type { AddressBook } from "./address-book.ts";

/** A set of lists as the archive spells it out once; verdicts name it by its id. */
export interface ListSet {
  /** Below the archive's root. */
  readonly key: string;
  readonly json: string;
}

/** @returns undefined for a book without lists. */
export function listSetOf({ id, lists }: AddressBook): ListSet | undefined {
  if (id === undefined) return undefined;
  const rows = lists.map(({ name, sha256, date, entries }) => ({ name, sha256, date, entries }));
  return {
    key: `lists/${id}.json`,
    json: `${JSON.stringify({ schema: "weir.lists/1", id, lists: rows }, undefined, 2)}\n`,
  };
}

/** Age of a list by its date, milliseconds. A list that is dated in a time zone ahead is no older than nothing. */
export function listAgeMs({ date }: { readonly date: string }, now: number): number {
  return Math.max(0, now - Date.parse(date));
}
