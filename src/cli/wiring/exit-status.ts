import { AppError } from "../../kernel/errors.ts";

/** Exit statuses that tell a supervisor why a long-running process ended; docs/kafka.md. */
const statuses: Readonly<Record<string, number>> = { CONSUMER_DEAD: 3, WORKER_STUCK: 4 };

/**
 * Runs to the end, or until a stop before the start. @returns 0, or the status of an error with its own status, which
 * is printed. @throws any other error.
 */
export async function endedWith(run: () => Promise<void>, signal: AbortSignal): Promise<number> {
  try {
    await run();
    return 0;
  } catch (thrown) {
    if (signal.aborted && thrown === signal.reason) return 0;
    const status = thrown instanceof AppError ? statuses[thrown.code] : undefined;
    if (status === undefined) throw thrown;
    process.stderr.write(`weir: ${(thrown as AppError).message}\n`);
    return status;
  }
}
