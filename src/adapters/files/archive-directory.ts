import { access, link, open, readdir, readFile, unlink } from "node:fs/promises";
import path from "node:path";
import type { ObjectMetadata, StoredObject } from "../../archive/object.ts";
import type { ArchiveStore, PackedObject, Packing } from "../../archive/ports.ts";
import { OutputUnwritableError, toError } from "../../kernel/errors.ts";
import { GzipPacking } from "../gzip/packed-lines.ts";
import { METADATA, metadataIn, metadataOf, objectOfMetadata } from "./archive-metadata.ts";
import { makeDirectory } from "./make-directory.ts";

/** Objects as files below a directory, never overwritten. The metadata is written last: an object without it is not there yet. */
export class ArchiveDirectory implements ArchiveStore {
  readonly #root: string;

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

  pack(): Packing {
    return new GzipPacking();
  }

  async put(object: PackedObject): Promise<void> {
    const file = path.join(this.#root, object.key);
    const text = `${JSON.stringify(object.metadata, undefined, 2)}\n`;
    try {
      await makeDirectory(path.dirname(file));
      const metadata = metadataOf(file);
      if (!(await exists(metadata))) await unlinkIfThere(file);
      await writeOnce(file, object.packed);
      await writeOnce(metadata, Buffer.from(text));
    } catch (thrown) {
      const error = toError(thrown);
      throw new OutputUnwritableError(`cannot archive to ${file}: ${error.message}`, {}, { cause: error });
    }
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

/** Writes a whole file under a name that nobody has yet, or finds the same bytes there. Readers never see a part of it. */
async function writeOnce(file: string, bytes: Uint8Array): Promise<void> {
  // The same for whoever comes after one that was killed; the directory is locked meanwhile.
  const unfinished = `${file}.tmp`;
  const handle = await open(unfinished, "w");
  try {
    await handle.writeFile(bytes);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  try {
    await link(unfinished, file);
  } catch (thrown) {
    const { code } = toError(thrown) as NodeJS.ErrnoException;
    if (code !== "EEXIST" || !(await readFile(file)).equals(bytes)) throw thrown;
  } finally {
    await unlinkIfThere(unfinished);
  }
}
