import { link, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { OutputUnwritableError, toError } from "../../kernel/errors.ts";

/**
 * Keeps a second run out of an output directory. The lock names its process; one whose process is gone is taken over.
 *
 * @returns what releases it. @throws {OutputUnwritableError} while another run is alive.
 */
export async function lockDirectory(directory: string, pid: number): Promise<() => Promise<void>> {
  const file = path.join(directory, ".lock");
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      await create(file, String(pid));
      return () => rm(file, { force: true });
    } catch (thrown) {
      const error = toError(thrown) as NodeJS.ErrnoException;
      if (error.code !== "EEXIST") throw new OutputUnwritableError(`cannot write to ${directory}: ${error.message}`);
      const holder = Number(await readFile(file, "utf8").catch(() => "0"));
      if (holder !== pid && isAlive(holder)) {
        throw new OutputUnwritableError(
          `${directory} is in use by process ${holder}: wait for it, or choose another --out`,
        );
      }
      await rm(file, { force: true });
    }
  }
  throw new OutputUnwritableError(`${directory} cannot be locked: remove ${file} if no other run is using it`);
}

/** The file appears with its content or not at all: whoever finds it can read whose it is. @throws EEXIST */
async function create(file: string, content: string): Promise<void> {
  const unfinished = `${file}.${content}`;
  try {
    await writeFile(unfinished, content);
    await link(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: it lives, under another user.
    return (toError(thrown) as NodeJS.ErrnoException).code === "EPERM";
  }
}
