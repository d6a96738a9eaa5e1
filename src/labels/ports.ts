import type { ReadList } from "./label-list.ts";

/** The source of labels. */
export interface LabelSource<List extends ReadList> {
  /**
   * Reads all lists again, in a fixed order. Rows that are no labels are in each list's `refused` and raise no error.
   * @throws {ConfigInvalidError} when a list as a whole cannot be read.
   */
  load(): Promise<readonly List[]>;
}
