import { link, open, rename, rm, writeFile } from "node:fs/promises";
import { toError } from "../../../kernel/errors.ts";

/** A lock as it was found. */
export interface ExistingLock {
  readonly text: string;
  /** When it was refreshed last, by the clock of whoever did: to be compared for being the same, and with nothing else. */
  readonly mtimeMs: number;
}

/** The file appears with its text or not at all: whoever finds it can read whose it is. @returns false when there is one. */
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

/** Puts the text in place of the one that is there, whose it ever is. */
export async function replace(file: string, text: string): Promise<void> {
  const unfinished = unfinishedOf(file, text);
  await writeFile(unfinished, text);
  await rename(unfinished, file);
}

/** Takes our own lock away. One that somebody removed by hand may be another's by now, and stays. */
export async function release(file: string, mine: string): Promise<void> {
  if ((await look(file))?.text === mine) await rm(file, { force: true });
}

/**
 * The lock, undefined when there is none. It is opened each time: that makes a file system on a network ask its server,
 * where it might tell a time that it has kept for up to a minute otherwise (nfs(5), close-to-open consistency).
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
    // ESTALE: replaced on the server of a network's file system while it was read.
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
