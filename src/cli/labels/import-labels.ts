import { nameOf } from "../../adapters/files/input/input-bytes.ts";
import { guessFormat } from "../../adapters/files/labels/formats/guess-format.ts";
import { ListFile } from "../../adapters/files/labels/formats/list-file.ts";
import { listFormats } from "../../adapters/files/labels/formats/list-formats.ts";
import type { Unsaid } from "../../adapters/files/labels/formats/list-source.ts";
import {
  anyContents,
  formatContents,
  type LabelFormat,
  labelFormatNames,
} from "../../adapters/files/labels/label-format.ts";
import { AppError, ConfigInvalidError, InputUnreadableError, toError } from "../../kernel/errors.ts";
import { ImportTally } from "../../labels/import/import-tally.ts";
import type { ListEntry } from "../../labels/import/list-entry.ts";
import { liveLine } from "../demo/live-line.ts";
import { importLine } from "../terminal/progress.ts";
import { importReport } from "./import-report.ts";
import { fileOutput, type LabelOutput, streamOutput } from "./label-output.ts";
import { labelHeader, labelRow } from "./label-report.ts";

export interface ImportFlags {
  readonly format?: LabelFormat;
  readonly chain?: string;
  readonly kind?: string;
  readonly name?: string;
  /** OFAC's file of continued remarks. */
  readonly comments?: string;
  readonly out?: string;
}

/** Characters that are written at once. */
const WRITE_LENGTH = 64 * 1024;

/**
 * Makes a label file from a published list, on standard output or in `out`, and reports refused rows on standard error.
 *
 * @returns the exit status: 0, 2 when a row was refused, or 1 when it was stopped.
 * @throws {InputUnreadableError} when the file cannot be read, has another format, is truncated, or names no address.
 * @throws {ConfigInvalidError} when `out` exists already, or the flags do not fit.
 */
export async function importLabels(path: string, flags: ImportFlags, signal: AbortSignal): Promise<0 | 1 | 2> {
  const file = await ListFile.at(path);
  const name = nameOf(path);
  try {
    const format = await formatOf(file, name, flags);
    const unsaid = await unsaidOf(format, flags);
    const output = await outputOf(flags.out);
    const tally = new ImportTally();
    const onUnread = (columns: readonly string[]) => {
      tally.unread = columns;
    };
    try {
      await writeLabels(entriesOf(file, name, format, { ...unsaid, onUnread }), { tally, output, file, signal });
      if (tally.rows === 0) throw new InputUnreadableError(`${name} names no address in the format ${format}`);
      if (tally.labels === 0) {
        process.stderr.write(importReport(name, tally));
        throw new InputUnreadableError(`${name} names no address that can be listed; nothing was written`);
      }
      await output.finish();
    } catch (thrown) {
      await output.discard();
      throw thrown;
    }
    process.stderr.write(importReport(name, tally));
    return tally.refused === 0 ? 0 : 2;
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    const left = flags.out === undefined ? "what was printed is not whole" : `${flags.out} was not written`;
    process.stderr.write(`weir: stopped; ${left}\n`);
    return 1;
  } finally {
    await file.close();
  }
}

/** The format of the flag, unless the file is plainly of another one; else the format of the file. */
async function formatOf(file: ListFile, name: string, { format }: ImportFlags): Promise<LabelFormat> {
  const head = await file.head();
  if (head.trim() === "") {
    const expected = format === undefined ? anyContents : formatContents[format];
    throw new InputUnreadableError(`${name} is empty: expected ${expected}`);
  }
  const guess = guessFormat(head);
  if (guess !== undefined && "foreign" in guess) {
    throw new InputUnreadableError(`${name} cannot be imported: it looks like ${guess.foreign}`);
  }
  if (format === undefined && guess === undefined) {
    const formats = labelFormatNames.join(", ");
    throw new InputUnreadableError(`${name} does not tell its format: say --format, one of ${formats}`);
  }
  if (format !== undefined && guess !== undefined && guess.format !== format) {
    throw new InputUnreadableError(`${name} is not of the format ${format}: it looks like --format ${guess.format}`);
  }
  if (format !== undefined) return format;
  const told = guess?.format ?? "csv";
  process.stderr.write(`${name}: read as --format ${told}\n`);
  return told;
}

async function unsaidOf(format: LabelFormat, { chain, kind, name, comments }: ImportFlags): Promise<Unsaid> {
  if (comments !== undefined && format !== "ofac-csv") {
    throw new ConfigInvalidError(`--comments is for --format ofac-csv, not for ${format}`);
  }
  return {
    ...(chain === undefined ? {} : { chain }),
    ...(kind === undefined ? {} : { kind }),
    ...(name === undefined ? {} : { name }),
    ...(comments === undefined ? {} : { comments: await ListFile.at(comments) }),
  };
}

function outputOf(out: string | undefined): Promise<LabelOutput> {
  if (out === undefined) return Promise.resolve(streamOutput(process.stdout));
  return fileOutput(out, `${out}.${process.pid}.tmp`);
}

async function* entriesOf(
  file: ListFile,
  name: string,
  format: LabelFormat,
  unsaid: Unsaid,
): AsyncGenerator<ListEntry> {
  try {
    yield* listFormats[format](file, unsaid);
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    const why = `${name} cannot be read as ${format}: ${toError(thrown).message}`;
    throw new InputUnreadableError(why, {}, { cause: thrown });
  }
}

interface Work {
  readonly tally: ImportTally;
  readonly output: LabelOutput;
  readonly file: ListFile;
  readonly signal: AbortSignal;
}

async function writeLabels(entries: AsyncIterable<ListEntry>, { tally, output, file, signal }: Work): Promise<void> {
  const began = performance.now();
  const line = () => {
    const { bytes, size, passes: pass } = file;
    return importLine({ bytes, size, pass, rows: tally.rows, elapsedMs: performance.now() - began });
  };
  // On a terminal, the printed rows show the progress.
  const live = output.isTerminal ? undefined : liveLine(process.stderr, line, (text) => text);
  let text = labelHeader;
  try {
    for await (const entry of entries) {
      signal.throwIfAborted();
      const label = tally.take(entry);
      if (label !== undefined) text += labelRow(label);
      if (text.length < WRITE_LENGTH) continue;
      await output.write(text);
      text = "";
    }
  } finally {
    live?.end();
  }
  if (tally.rows > 0) await output.write(text);
}
