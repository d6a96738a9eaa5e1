import { ok, type Result } from "../../kernel/result.ts";
import { requiredColumns } from "../../labels/label-row.ts";
import type { SourceRow } from "../../labels/label-sifter.ts";
import { csvRow } from "./csv-event.ts";

const lineBreak = /\r\n|\n|\r/;
/** Empty, or a comment: only a line that begins with # is one, since "Binance #14" is a name. */
const noRow = /^\s*(#|$)/;
/** White space and # come before this character or are it; other white space is beyond ASCII. */
const HASH = "0".charCodeAt(0) - 1;
const ASCII_END = 128;

/** Takes a file in pieces, cut anywhere, and gives its rows as they are complete. */
export interface RowReader {
  /** @throws {Error} for text that no rows can be read of. */
  push(text: string): Iterable<SourceRow>;
  /** What the last piece left. @throws {Error} as above. */
  end(): Iterable<SourceRow>;
}

/**
 * Rows of a CSV file with a header; lines that start with # are comments. Read line by line: a cell cannot hold a line
 * break, so that a quote that is not closed costs its own row and not all those up to the next quote.
 * Throws {Error} for a header that cannot be read or lacks a column.
 */
export class CsvRows implements RowReader {
  #rest = "";
  #lines = 0;
  #columns: readonly string[] | undefined;

  *push(text: string): Generator<SourceRow> {
    // Long lines are joined once, when their end comes.
    const isWithinLine = !/[\r\n]/.test(text) && !this.#rest.endsWith("\r");
    this.#rest += text;
    if (isWithinLine) return;
    // Behind a carriage return the line feed of the same break may follow.
    const end = this.#rest.length - (this.#rest.endsWith("\r") ? 1 : 0);
    const lines = this.#rest.slice(0, end).split(lineBreak);
    this.#rest = (lines.pop() ?? "") + this.#rest.slice(end);
    for (const line of lines) {
      const row = this.#rowOf(line);
      if (row !== undefined) yield row;
    }
  }

  *end(): Generator<SourceRow> {
    for (const line of this.#rest.split(lineBreak)) {
      const row = this.#rowOf(line);
      if (row !== undefined) yield row;
    }
    if (this.#columns === undefined) headerOf("");
  }

  #rowOf(line: string): SourceRow | undefined {
    this.#lines++;
    if (isNoRow(line)) return undefined;
    if (this.#columns !== undefined) return sourceRow(this.#lines, this.#columns, cellsOf(line));
    this.#columns = headerOf(line);
    return undefined;
  }
}

/** Most lines begin with the letter or digit of a chain. */
function isNoRow(line: string): boolean {
  const first = line.charCodeAt(0);
  return first > HASH && first < ASCII_END ? false : noRow.test(line);
}

function headerOf(line: string): readonly string[] {
  const header = cellsOf(line);
  if (!header.ok) throw new Error(`the header is ${header.detail}`);
  const columns = header.value.map((column) => column.trim());
  const missing = requiredColumns.filter((column) => !columns.includes(column));
  if (missing.length === 0) return columns;
  const wanted = requiredColumns.join(", ");
  throw new Error(`no column ${missing.join(", ")} in the header; the first row must name ${wanted}`);
}

function cellsOf(line: string): Result<readonly string[]> {
  if (!line.includes('"')) return ok(line.split(","));
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
  // The reader of a row trims its cells.
  const row: Record<string, string> = {};
  for (let i = 0; i < columns.length; i++) row[columns[i] ?? ""] = value[i] ?? "";
  return { line, row };
}
