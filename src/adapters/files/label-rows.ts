import { parse } from "csv-parse/sync";
import type { SourceRow } from "../../service/labels/label-list.ts";
import { requiredColumns } from "../../service/labels/label-row.ts";

/**
 * Rows of a CSV text with a header; lines that start with # are comments. `line` is the line a row ends on.
 * @throws {Error} for text that is not CSV or whose header lacks a column.
 */
export function csvRows(text: string): readonly SourceRow[] {
  const lines: number[] = [];
  const records = parse(text, {
    bom: true,
    comment: "#",
    // Without it everything after the # of "Binance #14" would be a comment.
    comment_no_infix: true,
    on_record: (cells: string[], info) => {
      lines.push(info.lines);
      return cells;
    },
    relax_column_count: true,
    // A quote inside a name is a quote; it must not cost the whole file.
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  });
  const columns = records[0] ?? [];
  const missing = requiredColumns.filter((column) => !columns.includes(column));
  if (missing.length > 0) {
    const wanted = requiredColumns.join(", ");
    throw new Error(`no column ${missing.join(", ")} in the header; the first row must name ${wanted}`);
  }
  return records.slice(1).map((cells, i) => csvRow(lines[i + 1] ?? 0, columns, cells));
}

function csvRow(line: number, columns: readonly string[], cells: readonly string[]): SourceRow {
  if (cells.length !== columns.length) {
    const found = `${cells.length} cells where the header has ${columns.length}`;
    return { line, unreadable: `row: ${found}; quote cells with commas` };
  }
  return { line, row: Object.fromEntries(columns.map((column, i) => [column, cells[i]])) };
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
