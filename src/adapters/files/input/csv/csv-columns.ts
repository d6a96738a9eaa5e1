import { InputUnreadableError } from "../../../../kernel/errors.ts";
import { csvRow, type Delimiter } from "./csv-cells.ts";
import { fieldOf } from "./csv-event.ts";

/** The columns of a CSV as its header names them. */
export interface CsvColumns {
  /** A column without a name has its number. */
  readonly names: readonly string[];
  readonly delimiter: Delimiter;
}

/**
 * The separator of the columns: the one that gives a column "address". Spreadsheets of many countries write ; for
 * commas.
 */
export function delimiterOf(header: string): Delimiter | undefined {
  return ([",", ";", "\t"] as const).find((delimiter) => {
    const row = csvRow(header, delimiter);
    return row.ok && row.value.length > 1 && row.value.some((cell) => fieldOf(cell) === "address");
  });
}

/** The separator that makes the most columns, for a header without a column of addresses. */
function likelyDelimiter(header: string): Delimiter {
  const columns = (delimiter: Delimiter) => header.split(delimiter).length;
  return ([";", "\t"] as const).reduce<Delimiter>((best, each) => (columns(each) > columns(best) ? each : best), ",");
}

/** @throws {InputUnreadableError} */
export function readColumns(text: string): CsvColumns {
  // Tabs at the ends stay, since each is a column without a name.
  const line = text.replace(/^\uFEFF? */, "").replace(/[ \r]+$/, "");
  if (line.includes("\r")) {
    throw new InputUnreadableError("the CSV header holds a carriage return: end every line with LF, or with CR LF");
  }
  const delimiter = delimiterOf(line) ?? likelyDelimiter(line);
  const header = csvRow(line, delimiter);
  if (!header.ok) throw new InputUnreadableError(`the CSV header cannot be read: ${header.detail}; correct that line`);
  // Addresses in a column without a name are not ignored silently either.
  return { names: header.value.map((name, i) => name.trim() || `no. ${i + 1}`), delimiter };
}

/** Most characters of all cells that a verdict repeats in full. */
const MAX_REF = 32_768;
/** Most characters of one cell in a longer row. */
const MAX_CELL = 256;

/** The cells of a row by column, for the `ref` of its event. Long cells of a very long row are cut. */
export function columnRef(names: readonly string[], cells: readonly string[]): Readonly<Record<string, string>> {
  const isLong = cells.reduce((sum, cell) => sum + cell.length, 0) > MAX_REF;
  const entries = names.map((name, i) => {
    const cell = cells[i] ?? "";
    const text = isLong && cell.length > MAX_CELL ? `${cell.slice(0, MAX_CELL)}…` : cell;
    return [names.indexOf(name) < i ? `${name} (no. ${i + 1})` : name, text] as const;
  });
  return Object.fromEntries(entries);
}
