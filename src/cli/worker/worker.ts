import type { Environment } from "../config/config.ts";
import { endedWith } from "../wiring/exit-status.ts";
import { workerRun } from "./worker-run.ts";

/** `weir worker`. @returns the exit status. @throws {ConfigInvalidError} */
export function worker(env: Environment, signal: AbortSignal): Promise<number> {
  return endedWith(() => workerRun(env, signal), signal);
}
