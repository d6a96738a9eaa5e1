import type { ListEntry } from "../../../../labels/import/list-entry.ts";

/** A published list, read in pieces of text with arbitrary boundaries. */
export interface ListSource {
  /** The beginning of the text, without a byte order mark: all of the text where it is short. */
  head(): Promise<string>;
  /** The whole text, without a byte order mark. Standard input gives the text only once. */
  pieces(): AsyncIterable<string>;
  /** Whether `pieces` can be called again. */
  readonly isRepeatable: boolean;
}

/** Facts about the rows that the file itself does not hold. */
export interface Unsaid {
  readonly chain?: string;
  readonly kind?: string;
  readonly name?: string;
  /** For OFAC's CSV: the file of continued remarks. */
  readonly comments?: ListSource;
  /** Receives the columns of a CSV that are not read, by their names in the file. */
  readonly onUnread?: (columns: readonly string[]) => void;
}

/**
 * Reads a list piece by piece. Entries are checked afterwards, as are rows of a label file. Throws {Error} for a text
 * in another format, and for a truncated text.
 */
export type ListReader = (list: ListSource, unsaid: Unsaid) => AsyncGenerator<ListEntry>;
