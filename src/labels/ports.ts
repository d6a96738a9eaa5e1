import type { ReadList } from "./label-list.ts";

/** Where labels come from. */
export interface LabelSource<List extends ReadList> {
  /**
   * Reads all lists anew, in a fixed order. Rows that are no labels are in each list's `refused`, not an error.
   * @throws {ConfigInvalidError} when a list as a whole cannot be read.
   */
  load(): Promise<readonly List[]>;
}
