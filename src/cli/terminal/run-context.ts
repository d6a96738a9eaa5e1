import type { Environment } from "../config/config.ts";

/** What every command takes beside its flags. */
export interface RunContext {
  readonly env: Environment;
  /** Aborted by the first signal to stop. */
  readonly signal: AbortSignal;
}
