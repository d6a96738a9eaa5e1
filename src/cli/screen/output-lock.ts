import path from "node:path";
import { ownHost } from "../../adapters/files/lock/lock-holder.ts";
import { type LockOptions, lockDirectory, type RunLock } from "../../adapters/files/lock/run-lock.ts";
import { makeDirectory } from "../../adapters/files/output/make-directory.ts";
import { systemClock } from "../../kernel/clock.ts";
import { OutputUnwritableError, toError } from "../../kernel/errors.ts";

export type LockWait = Pick<LockOptions, "signal" | "warn">;

/** Locks an output directory for this process. @throws {OutputUnwritableError} while another run has it. */
export async function lockOutput(out: string, options: LockWait & Pick<LockOptions, "onLost">): Promise<RunLock> {
  return lockDirectory(out, { ...options, pid: process.pid, place: await ownHost(), clock: systemClock });
}

/** Makes the folder of a run. @throws {OutputUnwritableError} */
export async function makeOutput(out: string): Promise<void> {
  try {
    await makeDirectory(path.resolve(out));
  } catch (thrown) {
    throw new OutputUnwritableError(
      `cannot make the directory ${out}: ${toError(thrown).message}: choose another --out`,
    );
  }
}
