import { readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { makeDirectory } from "../../adapters/files/output/make-directory.ts";
import { OutputUnwritableError, toError } from "../../kernel/errors.ts";
import { type LockWait, lockOutput } from "../screen/output-lock.ts";

/** Left in the folder of a demo; only a folder that holds it is emptied for the next one. */
const MARK = ".demo";

/**
 * Removes what an earlier demo left, unless that is still under way.
 *
 * @throws {OutputUnwritableError} when the folder holds anything that no demo left there, or a run has it.
 */
export async function emptyForDemo(out: string, wait: LockWait): Promise<void> {
  try {
    await makeDirectory(path.resolve(out));
    const files = await readdir(out);
    if (files.length > 0 && !files.includes(MARK)) {
      throw new OutputUnwritableError(`${out} is not empty and holds no earlier demo: choose another --out`);
    }
    // All of it is removed before a beat could find the lock another's.
    const lock = await lockOutput(out, { ...wait, onLost: () => undefined });
    await empty(out).finally(() => lock.release());
  } catch (thrown) {
    if (thrown instanceof OutputUnwritableError || wait.signal.aborted) throw thrown;
    throw new OutputUnwritableError(`cannot write to ${out}: ${toError(thrown).message}: choose another --out`);
  }
}

async function empty(out: string): Promise<void> {
  await writeFile(path.join(out, MARK), "");
  for (const file of ["verdicts.ndjson", "run.json", "tickets.ndjson", "quota.json"])
    await rm(path.join(out, file), { force: true });
  await rm(path.join(out, "archive"), { recursive: true, force: true });
}
