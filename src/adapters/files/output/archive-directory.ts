import { access, type FileHandle, link, open, readdir, readFile, unlink } from "node:fs/promises";
import path from "node:path";
import type { ObjectMetadata, StoredObject } from "../../../archive/object.ts";
import type { ArchiveStore, ObjectPacker, PackedObject } from "../../../archive/ports.ts";
import { OutputUnwritableError, toError } from "../../../kernel/errors.ts";
import { GzipPacking } from "../../gzip/packed-lines.ts";
import { METADATA, metadataIn, metadataOf, objectOfMetadata } from "./archive-metadata.ts";
import { makeDirectory } from "./make-directory.ts";

/**
 * Archive objects as files below a directory, never overwritten. The metadata is written last: an object without
 * metadata does not exist yet.
 */
export class ArchiveDirectory implements ArchiveStore {
  readonly #root: string;
  /** The folder that was made last. Thousands of objects go into one folder. */
  #made: string | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  async *objects(topic: string, partition: number): AsyncGenerator<StoredObject> {
    for (const file of await this.#metadataFiles(topic, partition)) {
      // Keys have slashes on every operating system.
      const key = objectOfMetadata(file).split(path.sep).join("/");
      yield { key, metadata: await readMetadata(path.join(this.#root, file)) };
    }
  }

  pack(): ObjectPacker {
    return new GzipPacking();
  }

  async put(object: PackedObject): Promise<void> {
    const file = path.join(this.#root, object.key);
    const metadata = metadataOf(file);
    const text = Buffer.from(`${JSON.stringify(object.metadata, undefined, 2)}\n`);
    try {
      await this.#makeFolder(path.dirname(file));
      try {
        // In parallel: each step waits for the busy thread, and every object waits for the previous one.
        await all([writeUnfinished(file, object.packed), writeUnfinished(metadata, text)]);
        await finish(file, object.packed, metadata);
        await finish(metadata, text);
      } finally {
        await all([file, metadata].map((each) => unlinkIfThere(unfinished(each))));
      }
    } catch (thrown) {
      const error = toError(thrown);
      throw new OutputUnwritableError(`cannot archive to ${file}: ${error.message}`, {}, { cause: error });
    }
  }

  async #makeFolder(folder: string): Promise<void> {
    if (folder === this.#made) return;
    await makeDirectory(folder);
    this.#made = folder;
  }

  /** Metadata files below the root, ordered by the start offsets of their objects. */
  async #metadataFiles(topic: string, partition: number): Promise<readonly string[]> {
    const folder = `p=${String(partition).padStart(5, "0")}`;
    const files = await readdir(path.join(this.#root, "v1", topic), { recursive: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return [];
        throw new OutputUnwritableError(
          `cannot read the archive in ${this.#root}: ${error.message}`,
          {},
          { cause: error },
        );
      },
    );
    const names = files.filter((file) => file.endsWith(METADATA) && path.dirname(file).endsWith(folder));
    names.sort((a, b) => (path.basename(a) < path.basename(b) ? -1 : 1));
    return names.map((name) => path.join("v1", topic, name));
  }
}

async function readMetadata(file: string): Promise<ObjectMetadata> {
  try {
    const metadata = metadataIn(await readFile(file, "utf8"));
    if (metadata !== undefined) return metadata;
    throw new Error("it is no object's metadata");
  } catch (thrown) {
    throw new OutputUnwritableError(
      `cannot read the archive's ${file}: ${toError(thrown).message}: choose another --out`,
    );
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** `rm` reads a file's state before it removes the file. That is one more wait, and every object pays for it. */
function unlinkIfThere(file: string): Promise<void> {
  return unlink(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

/**
 * The name of a file until it is complete. A run after a killed one uses the same name, since the directory is locked.
 */
function unfinished(file: string): string {
  return `${file}.tmp`;
}

/** Writes all bytes of a file durably, under a name that no reader opens. */
async function writeUnfinished(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await openNew(unfinished(file));
  try {
    await handle.writeFile(bytes);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/**
 * Removes the file of a killed run first. That file may be another name of a finished file, which must not be written
 * to.
 */
async function openNew(file: string): Promise<FileHandle> {
  try {
    return await open(file, "wx");
  } catch (thrown) {
    if ((toError(thrown) as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
    await unlinkIfThere(file);
    return open(file, "wx");
  }
}

/**
 * Gives the written file its final name, or finds the same bytes under that name.
 *
 * @param mark the file that makes the named file complete. A named file without its mark was left by a killed run and
 * is removed.
 */
async function finish(file: string, bytes: Uint8Array, mark?: string): Promise<void> {
  const taken = await linkUnlessTaken(unfinished(file), file);
  if (taken === undefined || (await readFile(file)).equals(bytes)) return;
  if (mark === undefined || (await exists(mark))) throw taken;
  await unlinkIfThere(file);
  await link(unfinished(file), file);
}

/** @returns the error of the file system when the name is taken. */
async function linkUnlessTaken(from: string, to: string): Promise<Error | undefined> {
  try {
    await link(from, to);
    return undefined;
  } catch (thrown) {
    const error: NodeJS.ErrnoException = toError(thrown);
    if (error.code === "EEXIST") return error;
    throw error;
  }
}

/** Waits for all steps, so that no step still runs when the caller gets an error. @throws the first failure. */
async function all(steps: readonly Promise<void>[]): Promise<void> {
  for (const each of await Promise.allSettled(steps)) if (each.status === "rejected") throw each.reason;
}
