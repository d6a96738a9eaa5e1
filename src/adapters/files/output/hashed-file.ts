import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { OutputUnwritableError, toError } from "../../../kernel/errors.ts";

/** Bytes that are written together. */
const WRITE_BYTES = 256 * 1024;

/** A file that gets its name once it is whole, and the hash of its bytes. */
export class HashedFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #hash: Hash = createHash("sha256");
  #parts: Uint8Array[] = [];
  #waiting = 0;
  #bytes = 0;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /** @throws {OutputUnwritableError} */
  static async create(path: string): Promise<HashedFile> {
    try {
      return new HashedFile(path, await open(unfinished(path), "w"));
    } catch (thrown) {
      throw new OutputUnwritableError(`cannot write ${path}: ${toError(thrown).message}`);
    }
  }

  /** @returns a promise when the caller has to wait for the disk. */
  write(content: string | Uint8Array): Promise<void> | undefined {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    this.#parts.push(bytes);
    this.#waiting += bytes.length;
    return this.#waiting < WRITE_BYTES ? undefined : this.#flush();
  }

  async close(): Promise<{ readonly bytes: number; readonly sha256: string }> {
    await this.#flush();
    await this.#handle.close();
    await rename(unfinished(this.#path), this.#path);
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }

  /** Removes what was written. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    await rm(unfinished(this.#path), { force: true });
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#waiting = 0;
    this.#bytes += bytes.length;
    this.#hash.update(bytes);
    try {
      await this.#handle.writeFile(bytes);
    } catch (thrown) {
      throw new OutputUnwritableError(`cannot write ${this.#path}: ${toError(thrown).message}`);
    }
  }
}

function unfinished(path: string): string {
  return `${path}.tmp`;
}
