import { listedAddress } from "../listed-address.ts";
import { MAX_NAME_LENGTH, MAX_NOTE_LENGTH } from "./label-row.ts";
import type { SourceRow } from "./label-sifter.ts";

/**
 * What an importer gives for one address: a row that may be a label, or the currency of a chain that is not screened.
 * `publishedFor` names the currency of another chain than that of the row; `isFromLink`: a link held the address.
 */
export type ListEntry =
  | (SourceRow & { readonly publishedFor?: string; readonly isFromLink?: true })
  | { readonly line: number; readonly unscreened: string };

/** What a list says of the owner of an address. */
export interface Listing {
  readonly name: string;
  readonly kind: string;
  /** Codes of sanctions programs. */
  readonly programs?: readonly string[];
  /** What goes into the note, in this order; empty ones are left out. */
  readonly remarks?: readonly string[];
  /** The day as of which the list says it, such as 2026-11-20: how old the list is. */
  readonly date?: string;
}

/** The chain of an address where the file says it, or the currency that a list gives with it, if any. */
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

/** The entry with what the caller says in cells of its row that are empty, and in no others. */
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

/** The text in one line of at most so many characters; what is cut ends in an ellipsis. */
function shortened(text: string, maxLength: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= maxLength) return line;
  // Half of a surrogate pair would be no character.
  return `${line.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
