import path from "node:path";
import { iterateFrom, PullIterable } from "../../../kernel/collections.ts";
import { ConfigInvalidError } from "../../../kernel/errors.ts";
import { fail, ok, type Result } from "../../../kernel/result.ts";
import { MAX_EVENT_BYTES, type ScreeningEvent } from "../../../messages/event.ts";
import type { TransferEnds } from "../../../messages/mapping/compile-mapping.ts";
import { parseEvent } from "../../../messages/parse-event.ts";
import { readPlainEvent } from "../../../messages/plain-event.ts";
import type { StrayAddress } from "../../../messages/unread/stray-address.ts";
import type { InputRecord } from "../../../worker/ports.ts";
import type { MappedInput } from "../mapping/mapped-reader.ts";
import { throughMapping } from "../mapping/through-mapping.ts";
import { readHeader } from "./csv/csv-header.ts";
import type { CsvLines } from "./csv/csv-lines.ts";
import { EventRows } from "./csv/event-rows.ts";
import type { Defaults, Format } from "./format.ts";
import {
  type FormatHint,
  formatOfLine,
  formatOfName,
  isOtherByBeginning,
  mappedFormatOf,
  refuseOtherFormat,
} from "./format-of.ts";
import { STDIN } from "./input-bytes.ts";
import { type Line, lineChunks } from "./lines.ts";
import { addressReader } from "./list-line.ts";
import { isWholeJson, mayGrow, type Unfinished } from "./unfinished.ts";

export interface RecordsOptions {
  readonly path: string;
  /** Without a format, the name of the file decides, and otherwise its first line. */
  readonly format?: Format | undefined;
  readonly defaults: Defaults;
  /** Names of the columns of a CSV that are left out. */
  readonly ignored?: readonly string[] | undefined;
  /** Receives the addresses that are not read, line by line. */
  readonly onUnread?: OnUnread | undefined;
  /**
   * Whether the file no longer grows, so that a last line without a line end is complete. A pipe shows its end by
   * itself.
   */
  readonly isFinished?: boolean | undefined;
  /** Whether the `ref` of each event holds the cells of its row. */
  readonly keepColumns?: boolean | undefined;
  /** Fills the fields of events from other columns, or from other JSON. */
  readonly mapping?: MappedInput | undefined;
  /** Receives the ends of each payment in place of events. The records of such a reading are of no use. */
  readonly onEnds?: ((line: number, ends: TransferEnds) => void) | undefined;
  /** Receives the columns that a mapping leaves out on purpose. */
  readonly onIgnored?: ((columns: readonly string[]) => void) | undefined;
  /** Receives the chain that a mapping assumes for every row. */
  readonly onAssumedChain?: ((chain: string) => void) | undefined;
  /** Receives the lines at the end of the file that make no record yet. */
  readonly onUnfinished?: ((lines: Unfinished) => void) | undefined;
}

/** @param kind what the paths of `strays` are. */
export type OnUnread = (strays: readonly StrayAddress[], kind: "field" | "column", place: string) => void;

/** A record of a file, with its original bytes. */
export interface FileRecord extends InputRecord {
  readonly source: { readonly file: string; readonly line: number };
  /** Whether the bytes are the event itself. A mapped record and a row are not. */
  readonly isEventJson: boolean;
}

/**
 * "short": the record is finished before the next is read. "long": the record waits for its verdict while others are
 * read.
 */
type Life = "short" | "long";

/**
 * Thousands of records wait for their verdicts, so further values are computed on request. A long-lived record keeps
 * only the bytes of an unreadable line, since its verdict is named by those bytes. They are kept as text, one character
 * a byte. A view would keep alive the whole chunk of the file, a quarter of a megabyte for each waiting record. The
 * cost of other copies: `worker/consumer/records/own-record.ts`.
 */
class RecordOfLine implements FileRecord {
  readonly isEventJson: boolean;
  readonly event: Result<ScreeningEvent>;
  readonly revision = 0;
  readonly sizeBytes: number;
  verdictId: string | undefined = undefined;
  readonly #file: string;
  readonly #line: number;
  readonly #kept: Buffer | string | undefined;

  constructor(life: Life, file: string, line: Line, isEventJson: boolean, event: Result<ScreeningEvent>) {
    this.isEventJson = isEventJson;
    this.event = event;
    this.sizeBytes = line.to - line.from;
    this.#file = file;
    this.#line = line.number;
    if (life === "short") this.#kept = line.bytes;
    else this.#kept = event.ok ? undefined : line.bytes.toString("latin1");
  }

  get source(): { readonly file: string; readonly line: number } {
    return { file: this.#file, line: this.#line };
  }

  get defaultId(): string {
    return `${this.#file}/${this.#line}`;
  }

  /** @throws for a readable line of a long-lived record: nothing that is made of such a record needs the bytes. */
  get bytes(): Buffer {
    if (this.#kept === undefined) throw new Error(`the bytes of ${this.defaultId} were let go: it could be read`);
    return typeof this.#kept === "string" ? Buffer.from(this.#kept, "latin1") : this.#kept;
  }
}

/** The name of the source in verdicts: the file's own name without its directory. */
export function sourceName(filePath: string): string {
  return filePath === STDIN ? "stdin" : path.basename(filePath);
}

/**
 * The records of a file of events: NDJSON, CSV with a header, or one address a line. The caller finishes each record
 * before it requests the next. Blank lines are skipped. Lines that begin with # are skipped in lists and above the
 * header of a CSV. A bad line is a record with a fault in place of its event.
 *
 * @throws {InputUnreadableError | ConfigInvalidError}
 */
export async function* readRecords(options: RecordsOptions): AsyncGenerator<FileRecord> {
  for await (const records of chunksOf(options, "short")) yield* records;
}

/**
 * The records of a file for a caller that keeps them while others are read. A record does not keep the bytes of a
 * readable line. Records of one chunk of the file come together: the caller reads each before it requests the next
 * group.
 */
export function recordChunks(options: RecordsOptions): AsyncGenerator<Iterable<FileRecord>> {
  return chunksOf(options, "long");
}

async function* chunksOf(options: RecordsOptions, life: Life): AsyncGenerator<Iterable<FileRecord>> {
  const isFinished = options.isFinished === true || !(await mayGrow(options.path));
  const rows = new RowsOfFile();
  const recordOn = lineReader(options, life, rows);
  for await (const lines of lineChunks(options.path, MAX_EVENT_BYTES, isFinished))
    yield iterateFrom(rows.of(lines), recordOn);
  const { open } = rows;
  const [first] = open;
  if (first === undefined) return;
  // A finished file loses no row behind an unclosed quote: each line is read as a row.
  if (isFinished) yield iterateFrom(open, recordOn);
  else options.onUnfinished?.({ from: first.number, to: (open.at(-1) ?? first).number, isQuoted: true });
}

/** The lines or rows of one file. A cell of a CSV may hold line breaks. */
class RowsOfFile {
  /** Defined once the header is read. */
  csv: CsvLines | undefined;
  /** Whether each line is a record by itself. */
  isByLine = false;

  of(lines: Iterable<Line>): Iterable<Line> {
    if (this.isByLine) return lines;
    const iterator = lines[Symbol.iterator]();
    const pull = () => {
      const next = iterator.next();
      return next.done === true ? undefined : next.value;
    };
    return new PullIterable(() => (this.csv === undefined ? pull() : this.csv.next(pull)));
  }

  /** The lines of a cell that is not closed at the end of the file. */
  get open(): readonly Line[] {
    return this.csv?.open ?? [];
  }
}

/** Makes a record of each line of one file. Some lines give no record. */
function lineReader(options: RecordsOptions, life: Life, rows: RowsOfFile): (line: Line) => FileRecord | undefined {
  const { path: filePath } = options;
  let read: ((line: Line) => Result<ScreeningEvent>) | undefined;
  let isHeader = false;
  const file = sourceName(filePath);
  let format = options.format ?? formatOfName(filePath);
  let said: FormatHint = options.format === undefined ? "name" : "flag";
  if (format === undefined) said = "line";
  return (line) => {
    if (format === "ndjson" && read !== undefined && options.mapping === undefined) {
      const plain = isTooLong(line) ? undefined : readPlainEvent(line.chunk, line.from, line.to);
      if (plain !== undefined) return new RecordOfLine(life, file, line, true, ok(plain));
      if (line.isEnded && isPlainObject(line)) return new RecordOfLine(life, file, line, true, read(line));
    }
    const untrimmed = line.bytes.toString("utf8");
    const text = untrimmed.trim();
    const mayComment = format === "list" || (format !== "ndjson" && read === undefined);
    const isSeveral = text.includes("\r");
    if (text === "" || (mayComment && text.startsWith("#") && !isSeveral)) return undefined;
    const meant = format ?? (options.mapping === undefined ? formatOfLine(text) : mappedFormatOf(text));
    if (!line.isEnded && !(meant === "ndjson" && isWholeJson(text))) {
      if (read === undefined && isOtherByBeginning(meant, text)) refuseOtherFormat(filePath, meant, said, text);
      options.onUnfinished?.({ from: line.number, to: line.number, isQuoted: false });
      return undefined;
    }
    if (read === undefined) {
      if (mayComment && format !== "list" && SEPARATOR_LINE.test(untrimmed)) {
        format = "csv";
        return undefined;
      }
      format = meant;
      refuseOtherFormat(filePath, format, said, text);
      read = readerOf(format, untrimmed, options, rows);
      isHeader = format === "csv";
    }
    const isRecord = !isHeader;
    isHeader = false;
    if (!isRecord) return undefined;
    const event = isSeveral && !isTooLong(line) ? fail(CR_INSIDE) : read(line);
    return new RecordOfLine(life, file, line, format === "ndjson" && options.mapping === undefined, event);
  };
}

/** The line that spreadsheets write above the header to name the separator, such as sep=; */
const SEPARATOR_LINE = /^\uFEFF?sep=[,;\t]\r?$/i;
const BRACE = 0x7b;
const CR = 0x0d;

/** A line that is neither blank nor contains a line break, decided without decoding the line. */
function isPlainObject({ bytes }: Line): boolean {
  return bytes[0] === BRACE && !bytes.includes(CR);
}

/** Other programs may end a line at a CR. The text behind a CR must not become a part of this event. */
const CR_INSIDE = "a carriage return inside the line: end every line with LF, or with CR LF";

function isTooLong({ from, to }: Line): boolean {
  return to - from > MAX_EVENT_BYTES;
}

function readerOf(
  format: Format,
  firstLine: string,
  options: RecordsOptions,
  rows: RowsOfFile,
): (line: Line) => Result<ScreeningEvent> {
  const { defaults, onUnread } = options;
  if (options.mapping !== undefined) return throughMapping(format, firstLine, options, options.mapping, rows);
  if (format === "csv") return rowReader(firstLine, options, rows);
  refuseIgnored(options);
  if (options.keepColumns === true) throw new ConfigInvalidError("--keep-columns is for the columns of a CSV");
  rows.isByLine = true;
  if (format === "ndjson") {
    refuseDefaults(defaults);
    return ({ bytes, number }) => parseEvent(bytes, (strays) => onUnread?.(strays, "field", `line ${number}`));
  }
  const readText = addressReader(defaults, firstLine.trim());
  return ({ bytes }) => {
    const text = textOf(bytes);
    return text.ok ? readText(text.value) : text;
  };
}

/** @throws {ConfigInvalidError} */
function refuseIgnored({ ignored = [] }: RecordsOptions): void {
  if (ignored.length === 0) return;
  throw new ConfigInvalidError("--ignore is for the columns of a CSV: in an event, move such a field into ref instead");
}

/** Events in JSON name their own chain, users and token. A flag that is ignored would be a check that is not made. */
function refuseDefaults({ chain, users, token }: Defaults): void {
  if (chain === undefined && token === undefined && users.length === 0) return;
  throw new ConfigInvalidError(
    "--chain, --user and --token are for CSV and bare lists: name them in the events instead",
  );
}

function rowReader(
  headerLine: string,
  { defaults, ignored, onUnread, keepColumns }: RecordsOptions,
  rows: RowsOfFile,
): (line: Line) => Result<ScreeningEvent> {
  const csv = new EventRows(readHeader(headerLine, ignored), defaults, keepColumns);
  rows.csv = csv.lines();
  return (line) => {
    if (isTooLong(line)) return TOO_LONG;
    return csv.read(line.bytes, (strays) => onUnread?.(strays, "column", `line ${line.number}`));
  };
}

const TOO_LONG = fail(`larger than ${MAX_EVENT_BYTES} bytes`);
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** A line of a text format, within the size limit of an event in JSON. */
function textOf(bytes: Uint8Array): Result<string> {
  if (bytes.byteLength > MAX_EVENT_BYTES) return TOO_LONG;
  try {
    return ok(utf8.decode(bytes));
  } catch {
    // The decoder fails for one reason only.
    return fail("not valid UTF-8");
  }
}
