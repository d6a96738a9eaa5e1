import { link, open, rename, rm, writeFile } from "node:fs/promises";
import { toError } from "../../../kernel/errors.ts";

/** The state of an existing lock. */
export interface ExistingLock {
  readonly text: string;
  /** Time of the last refresh, by the clock of the holder. It is only compared for equality. */
  readonly mtimeMs: number;
}

/**
 * Creates the lock file together with its text, so a reader never sees it without its holder. @returns false when a
 * lock exists.
 */
export async function create(file: string, text: string): Promise<boolean> {
  const unfinished = unfinishedOf(file, text);
  try {
    await writeFile(unfinished, text);
    await link(unfinished, file);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") return false;
    throw thrown;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Replaces the text of the existing lock, whichever process holds it. */
export async function replace(file: string, text: string): Promise<void> {
  const unfinished = unfinishedOf(file, text);
  await writeFile(unfinished, text);
  await rename(unfinished, file);
}

/** Removes the lock of this process. After an operator removed it by hand, a lock of another process stays. */
export async function release(file: string, mine: string): Promise<void> {
  if ((await look(file))?.text === mine) await rm(file, { force: true });
}

/**
 * The lock; undefined when there is none. The file is opened each time, so a network file system asks its server.
 * Without an open, it may return a time that it cached for up to a minute (nfs(5), close-to-open consistency).
 */
export async function look(file: string): Promise<ExistingLock | undefined> {
  try {
    const handle = await open(file);
    try {
      const { mtimeMs } = await handle.stat();
      return { text: await handle.readFile("utf8"), mtimeMs };
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    // ESTALE: the server of a network file system replaced the file while it was read.
    if (["ENOENT", "ESTALE"].includes(codeOf(thrown) ?? "")) return undefined;
    throw thrown;
  }
}

function unfinishedOf(file: string, text: string): string {
  return `${file}.${text.slice(-36)}`;
}

function codeOf(thrown: unknown): string | undefined {
  return (toError(thrown) as NodeJS.ErrnoException).code;
}
