import type { Dirent } from "node:fs";
import { access, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { StoredObject } from "../../../archive/object.ts";
import { ObjectUnreadableError, type ReadableStore, StoreUnavailableError } from "../../../archive/object-store.ts";
import { OutputUnwritableError, toError } from "../../../kernel/errors.ts";
import { MAX_LINES_BYTES, unpackLines } from "../../gzip/packed-lines.ts";
import { METADATA, metadataIn, metadataOf, objectOfMetadata } from "./archive-metadata.ts";
import { makeDirectory } from "./make-directory.ts";

/** Leftovers of a killed `ArchiveDirectory`. They are no part of the archive. */
const unfinished = /\.tmp$/;

/**
 * The objects below a directory as an audit reads them. An object and its metadata have one key. The key is listed when
 * either is there.
 */
export class ArchivedObjects implements ReadableStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async *list(prefix: string, signal: AbortSignal): AsyncGenerator<{ readonly key: string }> {
    for await (const key of this.#keysIn(prefix)) {
      signal.throwIfAborted();
      yield { key };
    }
  }

  async head(key: string): Promise<StoredObject | undefined> {
    const file = metadataOf(this.#file(key));
    const text = await this.#read(file, () => readFile(file, "utf8"));
    if (text === undefined) {
      if (await isThere(this.#file(key)))
        throw new ObjectUnreadableError(
          `${file} is missing: a run that was killed writes the file when the run continues; otherwise the file was removed`,
        );
      return undefined;
    }
    // Without the object, its metadata cannot be verified.
    if (!(await isThere(this.#file(key)))) return undefined;
    const metadata = metadataIn(text);
    if (metadata === undefined) throw new ObjectUnreadableError(`${file} is not what an archiver writes`);
    return { key, metadata };
  }

  async lines(key: string): Promise<Uint8Array | undefined> {
    const file = this.#file(key);
    const size = await this.#read(file, async () => (await stat(file)).size);
    if (size !== undefined && size > MAX_LINES_BYTES)
      throw new ObjectUnreadableError(
        `${file} has more than ${MAX_LINES_BYTES} bytes, which no object of the archive has`,
      );
    const packed = await this.#read(file, () => readFile(file));
    return packed === undefined ? undefined : unpackLines(packed, file);
  }

  /** Writes a text beside the objects. An earlier text under the key is replaced. */
  async putJson(key: string, json: string): Promise<void> {
    const file = this.#file(key);
    try {
      await makeDirectory(path.dirname(file));
      await writeFile(`${file}.tmp`, json);
      await rename(`${file}.tmp`, file);
    } catch (thrown) {
      const error = toError(thrown);
      throw new OutputUnwritableError(`cannot write ${file}: ${error.message}`, {}, { cause: error });
    }
  }

  async text(key: string): Promise<string | undefined> {
    const file = this.#file(key);
    try {
      return await readFile(file, "utf8");
    } catch (thrown) {
      const error = toError(thrown) as NodeJS.ErrnoException;
      if (error.code === "ENOENT") return undefined;
      throw new ObjectUnreadableError(`cannot read ${file}: ${error.message}`, {}, { cause: error });
    }
  }

  /** Keys have slashes on every operating system. */
  #file(key: string): string {
    return path.join(this.#root, ...key.split("/"));
  }

  async *#keysIn(folder: string): AsyncGenerator<string> {
    const at = this.#file(folder);
    const entries = (await this.#read(at, () => readdir(at, { withFileTypes: true }))) ?? [];
    for (const name of namesIn(entries)) {
      if (name.endsWith("/")) yield* this.#keysIn(`${folder}${name}`);
      else yield `${folder}${name}`;
    }
  }

  /** Undefined when the file does not exist. @throws {StoreUnavailableError} */
  async #read<T>(file: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (thrown) {
      const error = toError(thrown) as NodeJS.ErrnoException;
      if (error.code === "ENOENT") return undefined;
      throw new StoreUnavailableError(`cannot read ${file}: ${error.message}`, {}, { cause: error });
    }
  }
}

/** In the order of keys, in which a folder's name ends with its slash. */
function namesIn(entries: readonly Dirent[]): readonly string[] {
  const names = entries.map((entry) => {
    if (entry.isDirectory()) return `${entry.name}/`;
    return entry.name.endsWith(METADATA) ? objectOfMetadata(entry.name) : entry.name;
  });
  return [...new Set(names.filter((name) => !unfinished.test(name)))].sort();
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
