import { ownHost } from "../../adapters/files/lock/lock-holder.ts";
import { type LockOptions, lockDirectory, type RunLock } from "../../adapters/files/lock/run-lock.ts";
import { systemClock } from "../../kernel/clock.ts";

export type LockWait = Pick<LockOptions, "signal" | "warn">;

/** Locks an output directory for this process. @throws {OutputUnwritableError} while another run has it. */
export async function lockOutput(out: string, options: LockWait & Pick<LockOptions, "onLost">): Promise<RunLock> {
  return lockDirectory(out, { ...options, pid: process.pid, place: await ownHost(), clock: systemClock });
}
