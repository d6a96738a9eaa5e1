import { type FileHandle, open, unlink } from "node:fs/promises";
import path from "node:path";
import { makeDirectory } from "../../adapters/files/output/make-directory.ts";
import type { DecisionChange } from "../../archive/backtest/backtest.ts";
import { ConfigInvalidError, OutputUnwritableError, toError } from "../../kernel/errors.ts";
import { changeLine } from "./backtest-report.ts";

/** Text that is written at once, characters. */
const CHUNK = 64 * 1024;

/** The file of `--changes`: a line of JSON for each changed verdict. */
export class ChangeFile {
  readonly #file: string;
  readonly #handle: FileHandle;
  #waiting = "";

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  /** @throws {ConfigInvalidError} for a file that is there: it may be the result of another command. */
  static async create(file: string): Promise<ChangeFile> {
    try {
      await makeDirectory(path.dirname(file));
      return new ChangeFile(file, await open(file, "wx"));
    } catch (thrown) {
      const { code, message } = toError(thrown) as NodeJS.ErrnoException;
      const why = code === "EEXIST" ? "the file is there already: name another file, or remove it" : message;
      throw new ConfigInvalidError(`--changes ${file}: ${why}`);
    }
  }

  /** @throws {OutputUnwritableError} */
  add(change: DecisionChange): Promise<void> | undefined {
    this.#waiting += `${changeLine(change)}\n`;
    return this.#waiting.length < CHUNK ? undefined : this.#write();
  }

  /** Completes the file. @throws {OutputUnwritableError} */
  async finish(): Promise<void> {
    await this.#write();
    await this.#handle.close();
  }

  /** Removes the file of a command that failed, so that the same command may run again. */
  async drop(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    await unlink(this.#file).catch(() => undefined);
  }

  async #write(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = "";
    try {
      await this.#handle.appendFile(text);
    } catch (thrown) {
      throw new OutputUnwritableError(`cannot write ${this.#file}: ${toError(thrown).message}`);
    }
  }
}
