import { AppError } from "../../kernel/errors.ts";

/** What tells a supervisor apart how a process ended that should run on; README, "Screen on Kafka". */
const statuses: Readonly<Record<string, number>> = { CONSUMER_DEAD: 3, WORKER_STUCK: 4 };

/** Runs to the end, or until it is told to stop before it has begun. @returns 0, or the status of an end that has one of its own, which is told. @throws anything else. */
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
