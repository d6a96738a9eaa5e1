import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { ConfigInvalidError, toError } from "../../../kernel/errors.ts";
import type { SourceRow } from "../../../labels/import/label-sifter.ts";
import { noText } from "../input/no-text.ts";
import { importAdvice } from "./import-advice.ts";
import { JsonRows } from "./json-rows.ts";
import { CsvRows, type RowReader } from "./label-rows.ts";

/** A million labels with programs and notes are about 200 MB. A larger file is a wrong path, not a list. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Bytes that are read before other work may run: some 600 rows. */
const PIECE_BYTES = 32 * 1024;

const readers: Readonly<Record<string, () => RowReader>> = {
  ".csv": () => new CsvRows(),
  ".json": () => new JsonRows(),
};

/** Receives the rows and faults of a file while it is read. */
export interface RowSink {
  /** The setting that names the file, for messages. */
  readonly setting?: string;
  row(row: SourceRow): void;
  bytes?(piece: Uint8Array): void;
}

/** The properties of a file after all rows are read. */
export interface RowsRead {
  /** The last line has no line end, as in a file that is still being written. */
  readonly endsMidLine: boolean;
  /** Names in the file of the columns that no label is read from. */
  readonly unread: readonly string[];
}

/**
 * Reads the rows of a CSV or JSON file in pieces. Other work may run between the pieces.
 *
 * @throws {ConfigInvalidError} when the file as a whole cannot be read.
 */
export async function readRows(file: string, sink: RowSink): Promise<RowsRead> {
  try {
    return await rowsOf(file, sink);
  } catch (thrown) {
    if (!(thrown instanceof ConfigInvalidError)) throw thrown;
    const advice = await importAdvice(file, settingOf(sink));
    if (advice === undefined) throw thrown;
    throw new ConfigInvalidError(`label file ${file}: ${advice}`, {}, { cause: thrown });
  }
}

function settingOf({ setting = "LABELS_FILES" }: RowSink): string {
  return setting;
}

async function rowsOf(file: string, sink: RowSink): Promise<RowsRead> {
  const reader = readers[path.extname(file).toLowerCase()]?.();
  if (reader === undefined) {
    const advice = `a file of one address a line is made one by \`weir labels import --format address-list ${file} --out NEW.csv\``;
    throw new ConfigInvalidError(
      `label file ${file}: name it .csv or .json, its extension says how it is read; ${advice}`,
    );
  }
  let last = "";
  for await (const text of piecesOf(file, sink)) {
    addAll(sink, file, () => reader.push(text));
    last = text.at(-1) ?? last;
    await setImmediate();
  }
  addAll(sink, file, () => reader.end());
  // Truncated JSON does not parse, so its last line break carries no information.
  const endsMidLine = reader instanceof CsvRows && last !== "\n" && last !== "\r";
  return { endsMidLine, unread: reader.unread };
}

function addAll(sink: RowSink, file: string, rows: () => Iterable<SourceRow>): void {
  try {
    for (const row of rows()) sink.row(row);
  } catch (thrown) {
    throw new ConfigInvalidError(`label file ${file}: ${toError(thrown).message}`, {}, { cause: thrown });
  }
}

/** The text of a file, without a byte order mark. */
async function* piecesOf(file: string, sink: RowSink): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    const { size } = await stat(file);
    if (size > MAX_FILE_BYTES) throw tooLarge(file);
    let bytes = 0;
    for await (const piece of createReadStream(file, { highWaterMark: PIECE_BYTES })) {
      const read = piece as Buffer;
      const what = bytes === 0 ? noText(read) : undefined;
      if (what !== undefined) throw new ConfigInvalidError(`label file ${file}: ${what}`);
      bytes += read.length;
      if (bytes > MAX_FILE_BYTES) throw tooLarge(file);
      sink.bytes?.(read);
      yield decoder.decode(read, { stream: true });
    }
  } catch (thrown) {
    if (thrown instanceof ConfigInvalidError) throw thrown;
    throw new ConfigInvalidError(
      `label file ${file}: ${unreadable(toError(thrown), settingOf(sink))}`,
      {},
      { cause: thrown },
    );
  }
  yield decoder.decode();
}

function tooLarge(file: string): ConfigInvalidError {
  return new ConfigInvalidError(`label file ${file}: larger than ${MAX_FILE_BYTES} bytes; split it into several files`);
}

/**
 * The reason for each error code of the system, and the remedy. `$` stands for the setting in which the operator wrote
 * the name.
 */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file; correct its name in $, or take it out there",
  EISDIR: "it is a directory; name the files in it in $, separated by commas",
  EACCES: "this user may not read it; change its permissions, or take it out of $",
};

function unreadable({ code = "", message }: NodeJS.ErrnoException, setting: string): string {
  const reason = reasons[code]?.replace("$", setting);
  return reason === undefined ? `${message}; correct it, or take it out of ${setting}` : `${code}: ${reason}`;
}
