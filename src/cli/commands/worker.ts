import { AppError } from "../../kernel/errors.ts";
import type { Environment } from "../config.ts";
import { workerRun } from "../worker-run.ts";

/** What tells a supervisor apart how a worker ended; README, "Exit status". */
const exitCodes: Readonly<Record<string, number>> = { CONSUMER_DEAD: 3, WORKER_STUCK: 4 };

/** `weir worker`. @returns the exit status. */
export async function worker(env: Environment, signal: AbortSignal): Promise<number> {
  try {
    await workerRun(env, signal);
    return 0;
  } catch (thrown) {
    // Told to stop before it had begun.
    if (signal.aborted && thrown === signal.reason) return 0;
    const status = thrown instanceof AppError ? exitCodes[thrown.code] : undefined;
    if (status === undefined) throw thrown;
    process.stderr.write(`weir: ${(thrown as AppError).message}\n`);
    return status;
  }
}
