import { access, type FileHandle, link, open, readdir, readFile, unlink } from "node:fs/promises";
import path from "node:path";
import type { ObjectMetadata, StoredObject } from "../../../archive/object.ts";
import type { ArchiveStore, ObjectPacker, PackedObject } from "../../../archive/ports.ts";
import { OutputUnwritableError, toError } from "../../../kernel/errors.ts";
import { GzipPacking } from "../../gzip/packed-lines.ts";
import { METADATA, metadataIn, metadataOf, objectOfMetadata } from "./archive-metadata.ts";
import { makeDirectory } from "./make-directory.ts";

/** Objects as files below a directory, never overwritten. The metadata is written last: an object without it is not there yet. */
export class ArchiveDirectory implements ArchiveStore {
  readonly #root: string;
  /** The folder that was made last: thousands of objects go into one. */
  #made: string | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  async *objects(topic: string, partition: number): AsyncGenerator<StoredObject> {
    for (const file of await this.#metadataFiles(topic, partition)) {
      // Keys have slashes on every system.
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
        // Side by side: each step is waited for until a busy process comes to look, and every object waits for the one before.
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

  /** Below the root, by the starts of their objects. */
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

/** `rm` looks at a file before it removes it: a wait more, and every object is waited for. */
function unlinkIfThere(file: string): Promise<void> {
  return unlink(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

/** What a file is called until it is whole; the same for whoever comes after one that was killed, since the directory is locked. */
function unfinished(file: string): string {
  return `${file}.tmp`;
}

/** Writes all of a file, durably, where no reader looks. */
async function writeUnfinished(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await openNew(unfinished(file));
  try {
    await handle.writeFile(bytes);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** What a killed run left goes: it may be another name of a file that is finished, which must not be written to. */
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
 * Gives what was written its name, which nobody has yet, or finds the same bytes there.
 *
 * @param mark a file without which the one of this name is not there yet: a killed run left it, and it goes.
 */
async function finish(file: string, bytes: Uint8Array, mark?: string): Promise<void> {
  const taken = await linkUnlessTaken(unfinished(file), file);
  if (taken === undefined || (await readFile(file)).equals(bytes)) return;
  if (mark === undefined || (await exists(mark))) throw taken;
  await unlinkIfThere(file);
  await link(unfinished(file), file);
}

/** @returns the error of the file system when the name is somebody's. */
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

/** Waits for all of them, so that none goes on when its caller has heard of another. @throws what the first one failed with. */
async function all(steps: readonly Promise<void>[]): Promise<void> {
  for (const each of await Promise.allSettled(steps)) if (each.status === "rejected") throw each.reason;
}
