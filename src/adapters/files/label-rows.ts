import { ok, type Result } from "../../kernel/result.ts";
import type { SourceRow } from "../../service/labels/label-list.ts";
import { requiredColumns } from "../../service/labels/label-row.ts";
import { csvRow } from "./csv-event.ts";

const lineBreak = /\r\n|\n|\r/;
/** Empty, or a comment: only a line that begins with # is one, since "Binance #14" is a name. */
const noRow = /^\s*(#|$)/;

/**
 * Rows of a CSV text with a header; lines that start with # are comments. Read line by line: a cell cannot hold a line
 * break, so that a quote that is not closed costs its own row and not all those up to the next quote.
 * @throws {Error} for text whose header cannot be read or lacks a column.
 */
export function csvRows(text: string): Iterable<SourceRow> {
  const lines = text.replace(/^\uFEFF/, "").split(lineBreak);
  const headerAt = lines.findIndex((line) => !noRow.test(line));
  const columns = headerOf(lines[headerAt] ?? "");
  return rowsOf(lines, headerAt, columns);
}

function* rowsOf(lines: readonly string[], headerAt: number, columns: readonly string[]): Generator<SourceRow> {
  for (const [i, line] of lines.entries()) {
    if (i > headerAt && !noRow.test(line)) yield sourceRow(i + 1, columns, cellsOf(line));
  }
}

function headerOf(line: string): readonly string[] {
  const header = cellsOf(line);
  if (!header.ok) throw new Error(`the header is ${header.detail}`);
  const missing = requiredColumns.filter((column) => !header.value.includes(column));
  if (missing.length === 0) return header.value;
  const wanted = requiredColumns.join(", ");
  throw new Error(`no column ${missing.join(", ")} in the header; the first row must name ${wanted}`);
}

function cellsOf(line: string): Result<readonly string[]> {
  const cells = csvRow(line, ",", { trim: true, relax_quotes: true });
  return cells.ok ? ok(cells.value.map((cell) => cell.trim())) : cells;
}

function sourceRow(line: number, columns: readonly string[], cells: Result<readonly string[]>): SourceRow {
  if (!cells.ok) return { line, unreadable: `row: ${cells.detail}; a cell must end on the line that it begins on` };
  const { value } = cells;
  if (value.length !== columns.length) {
    const found = `${value.length} cells where the header has ${columns.length}`;
    return { line, unreadable: `row: ${found}; quote cells with commas` };
  }
  return { line, row: Object.fromEntries(columns.map((column, i) => [column, value[i]])) };
}

/**
 * Rows of a JSON text, an array of objects; `line` is the row's place in it, from 1.
 * @throws {Error} for text that is not JSON or no array.
 */
export function jsonRows(text: string): readonly SourceRow[] {
  const rows: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
  if (!Array.isArray(rows)) throw new Error("must be an array of objects, one a label");
  return rows.map((row: unknown, i) => {
    const line = i + 1;
    return isRow(row) ? { line, row } : { line, unreadable: "row: must be an object" };
  });
}

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
