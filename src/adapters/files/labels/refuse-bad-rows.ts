import path from "node:path";
import { ConfigInvalidError } from "../../../kernel/errors.ts";
import { countText } from "../../../kernel/text.ts";
import type { RefusedRow } from "../../../labels/import/refused-row.ts";

/**
 * Refuses a list with a row that is no entry: the address of that row would be cleared. @throws {ConfigInvalidError}
 */
export function refuseBadRows(file: string, refused: readonly RefusedRow[]): void {
  const [first] = refused;
  if (first === undefined) return;
  const rows = refused.length === 1 ? "a row is" : `${refused.length} rows are`;
  throw new ConfigInvalidError(
    `list file ${path.basename(file)}: ${rows} no entry, first line ${first.line}: ${first.detail}; correct the rows or take them out`,
  );
}

/** Refuses a label file with a bad row that means to accuse. Other bad rows pass. @throws {ConfigInvalidError} */
export function refuseLostAccusations(file: string, refused: readonly RefusedRow[]): void {
  const lost = refused.filter(({ accuses }) => accuses === true);
  const [first] = lost;
  if (first === undefined) return;
  const rows = lost.length === 1 ? "a row that accuses" : `${countText(lost.length, "row")} that accuse`;
  throw new ConfigInvalidError(
    `label file ${path.basename(file)}: ${rows} cannot be read, first line ${first.line}: ${first.detail}; correct the rows or take them out`,
  );
}

/** Refuses a list without an entry, since no event would match it. @throws {ConfigInvalidError} */
export function refuseEmptyList(file: string, entries: number): void {
  if (entries > 0) return;
  throw new ConfigInvalidError(
    `list file ${path.basename(file)} holds no entry: get the list again and import it, or take the file out of LISTS_FILES`,
  );
}
