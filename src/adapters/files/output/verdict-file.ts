import { type FileHandle, open, truncate } from "node:fs/promises";
import { ByteBuffer } from "../../../kernel/byte-buffer.ts";
import { OutputUnwritableError, toError } from "../../../kernel/errors.ts";
import { type Verdict, verdictIn } from "../../../messages/verdict.ts";
import { VerdictWriter } from "../../../messages/verdict-writer.ts";
import type { VerdictSink } from "../../../worker/ports.ts";
import { readLines } from "../input/lines.ts";
import { LogTail } from "../input/log-tail.ts";
import { SettledLines } from "./settled-lines.ts";
import { MAX_VERDICT_BYTES } from "./verdict-log.ts";

const LF = 0x0a;
/**
 * Buffer of the lines that wait to be written. Chosen: room for a thousand verdicts, as many as are written together.
 */
const LINES = { initialBytes: 64 * 1024, keptBytes: 2 * 1024 * 1024 };
/**
 * Most bytes of lines that wait for the disk or are being written, before backpressure begins. Chosen: as many ordinary
 * verdicts as a run has in flight. The objects behind the lines stay in memory until they are written, too.
 */
const MAX_HELD_BYTES = 16 * 1024 * 1024;

type OnSettled = (verdict: Verdict) => void;
/** Called before each write. @throws when this process may not write the file any more. */
type Confirm = () => Promise<void>;
/** Called when the bytes that wait for the disk reach the limit, and when there is room again. */
type OnFull = (isFull: boolean) => void;

/**
 * DIR/verdicts.ndjson: one verdict a line, appended. The file is its own memory: an event with a verdict in the file is
 * complete. So a killed run goes on where it stopped, and no revision of an input line is written twice. (Two input
 * lines may be about one event: `EventDeduplication`.) A torn last line is cut off. A check that the service failed to
 * answer is not complete: it is requested again, and its answer gets the next revision.
 */
export class VerdictFile implements VerdictSink {
  /** The lines that an earlier run completed. */
  readonly settled: SettledLines;
  /** The growing end of the file, for readers; `close` ends it. */
  readonly tail: LogTail;
  readonly #handle: FileHandle;
  readonly #confirm: Confirm;
  readonly #onFull: OnFull;
  readonly #writer = new VerdictWriter();
  /** Lines that wait for the previous write, and the shared result of their own write. */
  #waiting: { readonly lines: ByteBuffer; readonly written: PromiseWithResolvers<void> } | undefined;
  /** The buffer of the last completed write. */
  #spare: ByteBuffer | undefined;
  #writing: Promise<void> | undefined;
  /** Bytes of the lines that are being written. */
  #leavingBytes = 0;
  #isFull = false;
  /** After a failed write nothing more is written: the torn line must stay the last one. */
  #failure: OutputUnwritableError | undefined;
  /** Whether the disk has the whole file, and nothing more is written. */
  #isKept = false;

  private constructor(handle: FileHandle, confirm: Confirm, onFull: OnFull, settled: SettledLines, size: number) {
    this.#handle = handle;
    this.#confirm = confirm;
    this.#onFull = onFull;
    this.settled = settled;
    this.tail = new LogTail(size);
  }

  /**
   * Opens a new or an existing file. `onSettled` receives every verdict that is already in the file. @throws
   * {OutputUnwritableError} when the file cannot be opened, or is about another input.
   */
  static async open(
    path: string,
    sourceFile: string,
    onSettled: OnSettled,
    confirm: Confirm = async () => {},
    onFull: OnFull = () => {},
  ): Promise<VerdictFile> {
    try {
      const settled = await readSettled(path, sourceFile, onSettled, confirm);
      const handle = await open(path, "a");
      return new VerdictFile(handle, confirm, onFull, settled, (await handle.stat()).size);
    } catch (thrown) {
      if (thrown instanceof OutputUnwritableError) throw thrown;
      throw unwritable(path, thrown);
    }
  }

  /** Resolves when the operating system has the line. The line then survives the death of this process. */
  write(verdict: Verdict): Promise<void> {
    this.#waiting ??= { lines: this.#takeSpare(), written: Promise.withResolvers() };
    const { lines, written } = this.#waiting;
    this.#writer.write(verdict, lines);
    lines.addByte(LF);
    this.#weigh();
    this.#writing ??= this.#drain();
    return written.promise;
  }

  /** Flushes the written lines to the disk, for callers that write data which depends on the lines. */
  async keep(): Promise<void> {
    await this.#confirm();
    if (!this.#isKept) await this.#handle.datasync();
  }

  /** Waits for the current write, then flushes the file to the disk. */
  async close(): Promise<void> {
    await this.#writing;
    try {
      await this.#handle.datasync();
      this.#isKept = true;
      this.tail.end();
    } catch (thrown) {
      this.tail.fail(thrown);
      throw thrown;
    } finally {
      await this.#handle.close();
    }
  }

  /** One write at a time, each with all waiting lines, so lines never interleave. */
  async #drain(): Promise<void> {
    // `#writing` must hold this promise before it resolves. A write that ended at once would count as still running.
    await Promise.resolve();
    for (let batch = this.#waiting; batch !== undefined; batch = this.#waiting) {
      this.#waiting = undefined;
      this.#leavingBytes = batch.lines.length;
      this.#failure ??= await this.#append(batch.lines.bytes);
      this.#leavingBytes = 0;
      batch.lines.clear();
      this.#spare = batch.lines;
      // The limit is checked before the promise settles: the caller that wakes up checks for room.
      this.#weigh();
      if (this.#failure === undefined) batch.written.resolve();
      else batch.written.reject(this.#failure);
    }
    this.#writing = undefined;
  }

  #weigh(): void {
    const isFull = this.#leavingBytes + (this.#waiting?.lines.length ?? 0) >= MAX_HELD_BYTES;
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    this.#onFull(isFull);
  }

  #takeSpare(): ByteBuffer {
    const spare = this.#spare ?? new ByteBuffer(LINES);
    this.#spare = undefined;
    return spare;
  }

  async #append(text: Uint8Array): Promise<OutputUnwritableError | undefined> {
    try {
      await this.#confirm();
      await this.#handle.appendFile(text);
      this.tail.grow(text.byteLength);
      return undefined;
    } catch (thrown) {
      return thrown instanceof OutputUnwritableError ? thrown : unwritable("verdicts.ndjson", thrown);
    }
  }
}

async function readSettled(
  path: string,
  sourceFile: string,
  onSettled: OnSettled,
  confirm: Confirm,
): Promise<SettledLines> {
  const settled = new SettledLines();
  const handle = await open(path, "a+");
  const { size } = await handle.stat();
  await handle.close();
  if (size === 0) return settled;
  let complete = 0;
  let isTorn = false;
  for await (const { bytes, number } of readLines(path, MAX_VERDICT_BYTES)) {
    const end = complete + bytes.length + 1;
    isTorn = end > size;
    if (isTorn) break;
    const verdict = verdictAt(bytes, { path, number });
    const line = inputLine(verdict, path, sourceFile);
    complete = end;
    settled.add(line, verdict, bytes.length);
    if (settled.owed(line) === undefined) onSettled(verdict);
  }
  if (isTorn) {
    // A line of another process may look torn because it is being written.
    await confirm();
    await truncate(path, complete);
  } else if (complete !== size) {
    throw new OutputUnwritableError(`${path} was changed since it was written: choose another --out`);
  }
  return settled;
}

function inputLine({ source }: Verdict, path: string, sourceFile: string): number {
  if ("line" in source && source.file === sourceFile) return source.line;
  const other = "file" in source ? source.file : source.topic;
  throw new OutputUnwritableError(
    `${path} holds the verdicts of "${other}", not of "${sourceFile}": choose another --out`,
  );
}

function verdictAt(bytes: Buffer, at: { readonly path: string; readonly number: number }): Verdict {
  const verdict = verdictIn(bytes);
  if (verdict !== undefined) return verdict;
  throw new OutputUnwritableError(`${at.path} line ${at.number} is not a verdict: choose another --out`);
}

function unwritable(path: string, thrown: unknown): OutputUnwritableError {
  const error = toError(thrown);
  return new OutputUnwritableError(`cannot write ${path}: ${error.message}`, {}, { cause: error });
}
