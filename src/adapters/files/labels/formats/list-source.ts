import type { ListEntry } from "../../../../labels/import/list-entry.ts";

/** A published list, read in pieces of text that are cut anywhere. */
export interface ListSource {
  /** How the text begins, without a byte order mark: all of it where it is short. */
  head(): Promise<string>;
  /** The text, likewise. Standard input gives it once. */
  pieces(): AsyncIterable<string>;
  /** Whether `pieces` can be called again. */
  readonly isRepeatable: boolean;
}

/** What the file itself does not say of its rows. */
export interface Unsaid {
  readonly chain?: string;
  readonly kind?: string;
  readonly name?: string;
  /** Of OFAC's CSV: the file of remarks that are continued. */
  readonly comments?: ListSource;
  /** Is told the columns of a CSV that are not read, by their names there. */
  readonly onUnread?: (columns: readonly string[]) => void;
}

/**
 * Reads a list piece by piece. Entries are checked afterwards, as rows of a label file are.
 * Throws {Error} for a text that is not of the format, or ends within it.
 */
export type ListReader = (list: ListSource, unsaid: Unsaid) => AsyncGenerator<ListEntry>;
