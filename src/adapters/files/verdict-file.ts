import { type FileHandle, open, truncate } from "node:fs/promises";
import { Verdict } from "../../events/verdict.ts";
import { OutputUnwritableError, toError } from "../../kernel/errors.ts";
import type { VerdictSink } from "../../worker/ports.ts";
import { LineSet } from "./line-set.ts";
import { readLines } from "./lines.ts";

type OnSettled = (verdict: Verdict) => void;

/** Longer lines are not ours: RECORD_MAX_BYTES and some room. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/**
 * DIR/verdicts.ndjson: one verdict a line, appended. It is its own memory: what stands in it is settled, so a run that
 * was killed goes on where it stopped, and no (verdict_id, revision) is written twice. A torn last line is cut off.
 */
export class VerdictFile implements VerdictSink {
  /** Input lines that already have their verdict. */
  readonly settled: LineSet;
  readonly #handle: FileHandle;
  #waiting: { readonly line: string; readonly done: () => void; readonly failed: (error: Error) => void }[] = [];
  #writing: Promise<void> | undefined;

  private constructor(handle: FileHandle, settled: LineSet) {
    this.#handle = handle;
    this.settled = settled;
  }

  /** Opens or resumes; `onSettled` is told of every verdict that is already there. @throws {OutputUnwritableError} when it cannot, or when the file is about another input. */
  static async open(path: string, sourceFile: string, onSettled: OnSettled): Promise<VerdictFile> {
    try {
      const settled = await readSettled(path, sourceFile, onSettled);
      return new VerdictFile(await open(path, "a"), settled);
    } catch (thrown) {
      if (thrown instanceof OutputUnwritableError) throw thrown;
      throw unwritable(path, thrown);
    }
  }

  /** Resolves when the operating system has the line; it then survives the death of this process. */
  write(verdict: Verdict): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ line: `${JSON.stringify(verdict)}\n`, done: resolve, failed: reject });
    this.#writing ??= this.#drain();
    return promise;
  }

  /** Waits for what is being written, then makes the disk keep it. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#handle.datasync();
    await this.#handle.close();
  }

  /** One write at a time, each with everything that waits: lines never interleave. */
  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#handle.appendFile(batch.map(({ line }) => line).join(""));
        for (const { done } of batch) done();
      } catch (thrown) {
        const error = unwritable("verdicts.ndjson", thrown);
        for (const { failed } of batch) failed(error);
      }
    }
    this.#writing = undefined;
  }
}

async function readSettled(path: string, sourceFile: string, onSettled: OnSettled): Promise<LineSet> {
  const settled = new LineSet();
  const handle = await open(path, "a+");
  const { size } = await handle.stat();
  await handle.close();
  if (size === 0) return settled;
  let complete = 0;
  for await (const { bytes, number } of readLines(path, MAX_LINE_BYTES)) {
    const end = complete + bytes.length + 1;
    if (end > size) break;
    const verdict = verdictAt(bytes, { path, number });
    settled.add(inputLine(verdict, path, sourceFile));
    onSettled(verdict);
    complete = end;
  }
  if (complete < size) await truncate(path, complete);
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
  try {
    const parsed = Verdict.safeParse(JSON.parse(bytes.toString("utf8")));
    if (parsed.success) return parsed.data;
  } catch {
    // Falls through: what cannot be read is no verdict either.
  }
  throw new OutputUnwritableError(`${at.path} line ${at.number} is not a verdict: choose another --out`);
}

function unwritable(path: string, thrown: unknown): OutputUnwritableError {
  const error = toError(thrown);
  return new OutputUnwritableError(`cannot write ${path}: ${error.message}`, {}, { cause: error });
}
