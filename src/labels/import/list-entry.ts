import { listedAddress } from "../listed-address.ts";
import { MAX_NAME_LENGTH, MAX_NOTE_LENGTH } from "./label-row.ts";
import type { SourceRow } from "./label-sifter.ts";

/**
 * The result of an importer for one address: a row that may be a label, or the currency of a chain that is not
 * screened. `publishedFor` names the currency when it belongs to another chain than the row. `isFromLink` tells that a
 * link held the address.
 */
export type ListEntry =
  | (SourceRow & { readonly publishedFor?: string; readonly isFromLink?: true })
  | { readonly line: number; readonly unscreened: string };

/** The statement of a list about the owner of an address. */
export interface Listing {
  readonly name: string;
  readonly kind: string;
  /** Codes of sanctions programs. */
  readonly programs?: readonly string[];
  /** Parts of the note, in this order. Empty parts are left out. */
  readonly remarks?: readonly string[];
  /** The date of the list's statement, such as 2026-11-20. It tells the age of the list. */
  readonly date?: string;
}

/** The chain of an address where the file gives it, or the currency of the row, if there is one. */
export interface Where {
  readonly chain?: string;
  readonly currency?: string;
}

/** The entry of one address. Texts that are too long for a label are cut and end in an ellipsis. */
export function listEntry(line: number, address: string, where: Where, listing: Listing): ListEntry {
  const text = address.trim();
  if (where.chain !== undefined) return { line, row: { chain: where.chain, address: text, ...cellsOf(listing) } };
  const place = listedAddress(text, where.currency);
  if (!place.ok) return { line, unreadable: `address: ${place.detail}` };
  if ("unscreened" in place.value) return { line, unscreened: place.value.unscreened };
  const { chain, publishedFor } = place.value;
  const { remarks = [] } = listing;
  const isRewritten = place.value.address !== text;
  const told = isRewritten ? { ...listing, remarks: [...remarks, `published as ${text}`] } : listing;
  const row = { chain, address: place.value.address, ...cellsOf(told) };
  return publishedFor === undefined ? { line, row } : { line, row, publishedFor };
}

/** The entry with its empty cells filled from the caller's values. Other cells stay unchanged. */
export function filledIn(entry: ListEntry, unsaid: { readonly name?: string; readonly kind?: string }): ListEntry {
  if (!("row" in entry)) return entry;
  const { name, kind } = entry.row;
  return { ...entry, row: { ...entry.row, name: filled(name, unsaid.name), kind: filled(kind, unsaid.kind) } };
}

function filled(cell: unknown, text: string | undefined): unknown {
  const isEmpty = cell === undefined || cell === null || (typeof cell === "string" && cell.trim() === "");
  return isEmpty ? text : cell;
}

function cellsOf({ name, kind, programs = [], remarks = [], date }: Listing) {
  const note = remarks.filter((remark) => remark !== "");
  return {
    name: shortened(name, MAX_NAME_LENGTH),
    kind,
    program: shortened([...new Set(programs)].join(", "), MAX_NAME_LENGTH),
    note: shortened(note.join("; "), MAX_NOTE_LENGTH),
    ...(date === undefined ? {} : { date }),
  };
}

/** The text in one line of at most `maxLength` characters. A cut text ends in an ellipsis. */
function shortened(text: string, maxLength: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= maxLength) return line;
  // Half of a surrogate pair is no character.
  return `${line.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
