import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { MAX_CODE_BYTES, parseHex } from "../../evm-analysis/machine/code.ts";
import { InputUnreadableError, toError } from "../../kernel/errors.ts";

/** Hex digits, 0x and white space of the largest code. */
const MAX_FILE_BYTES = MAX_CODE_BYTES * 2 + 1024;

/** The code in a file of hex digits, or the reason for its absence. */
export async function codeIn(file: string): Promise<{ readonly code: Uint8Array } | { readonly failure: string }> {
  try {
    const { size } = await stat(file);
    const text = size <= MAX_FILE_BYTES ? await readFile(file, "utf8") : undefined;
    if (text?.trim() === "") return { failure: "the file is empty: 0x would say that there is no code" };
    const code = text === undefined ? undefined : parseHex(text);
    return code === undefined ? { failure: "not the hex of a contract's code" } : { code };
  } catch (thrown) {
    return { failure: `cannot be read: ${(toError(thrown) as NodeJS.ErrnoException).code ?? toError(thrown).message}` };
  }
}

/**
 * The file itself, or the files in a folder and the targets of its links, in the order of the names. Subfolders are
 * skipped.
 *
 * @throws {InputUnreadableError} when `place` does not exist
 */
export async function codeFilesAt(place: string): Promise<readonly string[]> {
  try {
    if (!(await stat(place)).isDirectory()) return [place];
    const entries = await readdir(place, { withFileTypes: true });
    const files: string[] = [];
    for (const entry of entries) {
      const file = path.join(place, entry.name);
      // A broken link is reported when it is read.
      const isFolder = entry.isSymbolicLink() ? await leadsToFolder(file) : !entry.isFile();
      if (!isFolder) files.push(file);
    }
    return files.sort();
  } catch (thrown) {
    const { code, message } = toError(thrown) as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file or folder: check its name" : (code ?? message);
    throw new InputUnreadableError(`cannot read ${place}: ${why}`, {}, { cause: thrown });
  }
}

async function leadsToFolder(link: string): Promise<boolean> {
  try {
    return (await stat(link)).isDirectory();
  } catch {
    return false;
  }
}
