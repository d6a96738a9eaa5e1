import { once } from "node:events";
import { access, type FileHandle, link, open, rename, rm } from "node:fs/promises";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";

/** The destination of a label file's rows. Either `finish` or `discard` ends it. */
export interface LabelOutput {
  readonly isTerminal: boolean;
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  /** Removes unfinished output. */
  discard(): Promise<void>;
}

/** Writes to a stream, with backpressure from the stream's reader. */
export function streamOutput(stream: NodeJS.WriteStream): LabelOutput {
  return {
    isTerminal: stream.isTTY === true,
    async write(text) {
      if (!stream.write(text)) await once(stream, "drain");
    },
    finish: () => Promise.resolve(),
    discard: () => Promise.resolve(),
  };
}

/**
 * A file that appears when it is complete, and never replaces an existing file: `unfinished` is written, and gets its
 * name last.
 * @throws {ConfigInvalidError} when the file exists already, or cannot be written.
 */
export async function fileOutput(file: string, unfinished: string): Promise<LabelOutput> {
  if (await isThere(file)) throw occupied(file);
  const handle = await orInvalid(file, open(unfinished, "w"));
  const discard = async () => {
    await handle.close();
    await rm(unfinished, { force: true });
  };
  return {
    isTerminal: false,
    write: async (text) => void (await orInvalid(file, handle.write(text))),
    finish: () => orInvalid(file, nameAtLast(handle, unfinished, file)),
    discard,
  };
}

async function nameAtLast(handle: FileHandle, unfinished: string, file: string): Promise<void> {
  try {
    await handle.sync();
    await handle.close();
    await nameNew(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Errors of file systems without hard links. */
const noLinks: ReadonlySet<string | undefined> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** A link fails where the name is taken; a rename would replace the file. */
async function nameNew(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file);
  } catch (thrown) {
    const { code }: NodeJS.ErrnoException = toError(thrown);
    if (!noLinks.has(code)) throw thrown;
    if (await isThere(file)) throw occupied(file);
    await rename(unfinished, file);
  }
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function orInvalid<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof ConfigInvalidError) throw thrown;
    const { code, message }: NodeJS.ErrnoException = toError(thrown);
    throw code === "EEXIST" ? occupied(file) : new ConfigInvalidError(`--out ${file}: ${message}`);
  }
}

function occupied(file: string): ConfigInvalidError {
  return new ConfigInvalidError(`--out ${file}: the file exists already: name another file, or remove this one`);
}
