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
/** Of lines that wait to be written. Chosen: a thousand verdicts are kept room for, as many as are written together. */
const LINES = { initialBytes: 64 * 1024, keptBytes: 2 * 1024 * 1024 };
/**
 * Of lines that wait for the disk or are on their way to it, before no more should come. Chosen: as many ordinary verdicts as
 * a run has in work. What they are made of is in memory until they are written, too.
 */
const MAX_HELD_BYTES = 16 * 1024 * 1024;

type OnSettled = (verdict: Verdict) => void;
/** Asked before each write. @throws when the file is not ours to write any more. */
type Confirm = () => Promise<void>;
/** Told when so much waits for the disk that no more should come, and when there is room again. */
type OnFull = (isFull: boolean) => void;

/**
 * DIR/verdicts.ndjson: one verdict a line, appended. It is its own memory: what stands in it is settled, so a run that
 * was killed goes on where it stopped, and of a line of the input no revision is written twice. (Two lines may be of one
 * event: `EventDeduplication`.) A torn last line is cut off. What the service failed to answer is
 * not settled: it is asked again, and the answer gets the next revision.
 */
export class VerdictFile implements VerdictSink {
  /** What an earlier run left. */
  readonly settled: SettledLines;
  /** For whoever reads along; ended by `close`. */
  readonly tail: LogTail;
  readonly #handle: FileHandle;
  readonly #confirm: Confirm;
  readonly #onFull: OnFull;
  readonly #writer = new VerdictWriter();
  /** Lines that wait for the write before theirs, and what becomes of them together. */
  #waiting: { readonly lines: ByteBuffer; readonly written: PromiseWithResolvers<void> } | undefined;
  /** What the last write is done with. */
  #spare: ByteBuffer | undefined;
  #writing: Promise<void> | undefined;
  /** Of lines that are on their way to the disk. */
  #leavingBytes = 0;
  #isFull = false;
  /** After a write that failed nothing more is written: the line that it tore must stay the last one. */
  #failure: OutputUnwritableError | undefined;
  /** Whether the disk has all of it, and nothing more comes. */
  #isKept = false;

  private constructor(handle: FileHandle, confirm: Confirm, onFull: OnFull, settled: SettledLines, size: number) {
    this.#handle = handle;
    this.#confirm = confirm;
    this.#onFull = onFull;
    this.settled = settled;
    this.tail = new LogTail(size);
  }

  /** Opens or resumes; `onSettled` is told of every verdict that is already there. @throws {OutputUnwritableError} when it cannot, or when the file is about another input. */
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

  /** Resolves when the operating system has the line; it then survives the death of this process. */
  write(verdict: Verdict): Promise<void> {
    this.#waiting ??= { lines: this.#takeSpare(), written: Promise.withResolvers() };
    const { lines, written } = this.#waiting;
    this.#writer.write(verdict, lines);
    lines.addByte(LF);
    this.#weigh();
    this.#writing ??= this.#drain();
    return written.promise;
  }

  /** Makes the disk keep what is written, for whoever writes something that rests on it. */
  async keep(): Promise<void> {
    await this.#confirm();
    if (!this.#isKept) await this.#handle.datasync();
  }

  /** Waits for what is being written, then makes the disk keep it. */
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

  /** One write at a time, each with everything that waits: lines never interleave. */
  async #drain(): Promise<void> {
    // Never done before `#writing` holds this very promise: what ended at once would be taken for still at work.
    await Promise.resolve();
    for (let batch = this.#waiting; batch !== undefined; batch = this.#waiting) {
      this.#waiting = undefined;
      this.#leavingBytes = batch.lines.length;
      this.#failure ??= await this.#append(batch.lines.bytes);
      this.#leavingBytes = 0;
      batch.lines.clear();
      this.#spare = batch.lines;
      // Before it is told of: whoever is woken by that looks whether there is room.
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
    // Another's line may be torn because it is being written.
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
