import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { toError } from "../../../kernel/errors.ts";

/**
 * Makes a directory and its missing parents. Node's own `recursive` never returns where a file system refuses new
 * entries with ENOENT, as /proc does.
 *
 * @throws the error of the file system; also when the path exists and is no directory.
 */
export async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory);
  } catch (thrown) {
    const { code } = toError(thrown) as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await isDirectory(directory))) return;
    const parent = path.dirname(directory);
    if (code !== "ENOENT" || parent === directory || (await isDirectory(parent))) throw thrown;
    await makeDirectory(parent);
    await mkdir(directory);
  }
}

function isDirectory(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
