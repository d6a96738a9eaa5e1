import { fail, ok, type Result } from "../../../../kernel/result.ts";
import { csvRow, type Delimiter } from "./csv-cells.ts";

/** The replacement character, which marks bytes that are not valid UTF-8. */
const REPLACED = "\uFFFD";
const strict = new TextDecoder("utf-8", { fatal: true });
const lenient = new TextDecoder("utf-8");

/**
 * The cells of a row. A row with too few cells may have lost its last columns, and must not pass as whole.
 *
 * @param isRead whether events depend on the column. Broken text elsewhere does not matter.
 */
export function cellsOf(
  bytes: Uint8Array,
  delimiter: Delimiter,
  names: readonly string[],
  isRead: (column: number) => boolean,
): Result<readonly string[]> {
  const text = strictText(bytes);
  const row = csvRow(text ?? lenient.decode(bytes), delimiter);
  if (!row.ok) return row;
  if (row.value.length !== names.length) return fail(`${row.value.length} columns, the header has ${names.length}`);
  if (text !== undefined) return ok(row.value);
  const broken = names.find((_, i) => isRead(i) && row.value[i]?.includes(REPLACED) === true);
  return broken === undefined ? ok(row.value) : fail(`${broken}: not valid UTF-8`);
}

/** Undefined for bytes that are not valid UTF-8. */
function strictText(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
