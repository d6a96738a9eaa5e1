import type { Environment } from "../config/config.ts";

/** The arguments of every command beside its flags. */
export interface RunContext {
  readonly env: Environment;
  /** Aborted by the first stop signal. */
  readonly signal: AbortSignal;
}
