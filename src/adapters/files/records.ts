import path from "node:path";
import { MAX_EVENT_BYTES, parseEvent, readEvent, type ScreeningEvent } from "../../events/event.ts";
import { ConfigInvalidError, InputUnreadableError } from "../../kernel/errors.ts";
import { fail, type Result } from "../../kernel/result.ts";
import type { InputRecord } from "../../worker/ports.ts";
import { csvRow, eventFields } from "./csv-event.ts";
import { type Line, readLines, STDIN } from "./lines.ts";

export const formats = ["ndjson", "csv", "list"] as const;
export type Format = (typeof formats)[number];

/** What a bare list cannot say about its addresses; rows of a CSV may leave it out too. */
export interface Defaults {
  readonly chain?: string | undefined;
  readonly users: readonly string[];
  readonly token?: string | undefined;
}

export interface RecordsOptions {
  readonly path: string;
  /** Without it the format is told from the name, else from the first line. */
  readonly format?: Format | undefined;
  readonly defaults: Defaults;
}

/** The name that verdicts give their source: the file's own name, wherever it lies. */
export function sourceName(filePath: string): string {
  return filePath === STDIN ? "stdin" : path.basename(filePath);
}

/**
 * The records of a file of events: NDJSON, CSV with a header, or one address a line. Blank lines (and, in lists,
 * lines from #) are passed over; a bad line is a record like any other, with what is wrong in place of its event.
 *
 * @throws {InputUnreadableError | ConfigInvalidError}
 */
export async function* readRecords({ path: filePath, format, defaults }: RecordsOptions): AsyncGenerator<InputRecord> {
  let read: ((line: Line) => Result<ScreeningEvent>) | undefined;
  let isHeader = false;
  for await (const line of readLines(filePath, MAX_EVENT_BYTES)) {
    const text = line.bytes.toString("utf8").trim();
    if (text === "" || (text.startsWith("#") && format !== "ndjson")) continue;
    if (read === undefined) {
      format ??= formatOf(filePath, text);
      read = readerOf(format, text, defaults);
      isHeader = format === "csv";
    }
    if (isHeader) isHeader = false;
    else yield recordOf(sourceName(filePath), line, read(line));
  }
}

function recordOf(file: string, { number, bytes }: Line, event: Result<ScreeningEvent>): InputRecord {
  return { source: { file, line: number }, defaultId: `${file}/${number}`, bytes, event };
}

function readerOf(format: Format, firstLine: string, defaults: Defaults): (line: Line) => Result<ScreeningEvent> {
  if (format === "ndjson") return (line) => parseEvent(line.bytes);
  if (format === "csv") {
    const header = csvRow(firstLine);
    if (!header.ok) throw new InputUnreadableError(`the CSV header cannot be read: ${header.detail}`);
    const names = header.value.map((name) => name.trim().replace(/^\uFEFF/, ""));
    if (!names.includes("address")) {
      throw new InputUnreadableError(`the CSV header has no column "address"; it has: ${names.join(", ")}`);
    }
    return (line) => {
      const row = csvRow(line.bytes.toString("utf8"));
      if (!row.ok) return row;
      if (row.value.length > names.length) return fail(`${row.value.length} columns, the header has ${names.length}`);
      return readEvent(eventFields(names, row.value, defaults));
    };
  }
  if (defaults.chain === undefined) {
    throw new ConfigInvalidError("a bare list of addresses needs their chain: add --chain, for example --chain eth");
  }
  return (line) => readEvent(eventFields(["address"], [line.bytes.toString("utf8").trim()], defaults));
}

/** By the file's name, else by its first line: an object is NDJSON, a row that names a column "address" is CSV. */
function formatOf(filePath: string, firstLine: string): Format {
  const extension = path.extname(filePath.replace(/\.gz$/, "")).toLowerCase();
  if (extension === ".csv") return "csv";
  if (extension === ".ndjson" || extension === ".jsonl" || extension === ".json") return "ndjson";
  if (/^[{[]/.test(firstLine)) return "ndjson";
  const cells = firstLine.split(",").map((cell) => cell.trim().toLowerCase());
  return cells.length > 1 && cells.includes("address") ? "csv" : "list";
}
