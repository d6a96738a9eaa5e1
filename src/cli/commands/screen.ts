import type { Format } from "../../adapters/files/records.ts";
import type { Environment } from "../config.ts";
import { showProgress } from "../progress.ts";
import { screenRun } from "../screen-run.ts";
import { summaryLines } from "../summary.ts";

export interface ScreenFlags {
  readonly out: string;
  readonly format?: Format;
  readonly chain?: string;
  readonly user: readonly string[];
  readonly token?: string;
}

/** `weir screen FILE`. @returns the exit status. */
export async function screen(file: string, flags: ScreenFlags, env: Environment, signal: AbortSignal): Promise<number> {
  const result = await screenRun({
    input: {
      path: file,
      format: flags.format,
      defaults: { chain: flags.chain, users: flags.user, token: flags.token },
    },
    out: flags.out,
    env,
    signal,
    watch: (progress) => showProgress(process.stderr, progress),
  });
  process.stdout.write(`${summaryLines(result, flags.out).join("\n")}\n`);
  return result.tally.exitStatus();
}
