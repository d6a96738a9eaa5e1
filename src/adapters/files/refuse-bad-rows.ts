import path from "node:path";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import type { RefusedRow } from "../../labels/label-list.ts";

/** A list with a row that is no entry is no list: the address of that row would be cleared. @throws {ConfigInvalidError} */
export function refuseBadRows(file: string, refused: readonly RefusedRow[]): void {
  const [first] = refused;
  if (first === undefined) return;
  const rows = refused.length === 1 ? "a row is" : `${refused.length} rows are`;
  throw new ConfigInvalidError(
    `list file ${path.basename(file)}: ${rows} no entry, first line ${first.line}: ${first.detail}; correct the rows or take them out`,
  );
}
