import { STDIN } from "../../adapters/files/input/input-bytes.ts";
import type { Environment } from "../config/config.ts";
import { type FileFlags, inputOptions } from "../terminal/input-options.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { stderrLog } from "../terminal/stderr-log.ts";
import { enqueueRun } from "./enqueue-run.ts";
import { enqueueSummary } from "./enqueue-summary.ts";
import { parseRate, Rate } from "./rate.ts";

export interface EnqueueFlags extends FileFlags {
  readonly topic?: string;
  readonly rate?: string;
  readonly state?: string;
  readonly quiet?: boolean;
}

/** Bad lines that are shown one by one. */
const MAX_SHOWN = 10;

/** `weir enqueue FILE`. @returns the exit status. */
export async function enqueue(
  file: string,
  flags: EnqueueFlags,
  env: Environment,
  signal: AbortSignal,
): Promise<0 | 2> {
  if (file === STDIN && process.stdin.isTTY === true)
    process.stderr.write("weir: reading events from the terminal; end them with Ctrl-D\n");
  const log = stderrLog(process.stderr);
  const input = await inputOptions(file, flags, (message) => log.warn(message));
  let shown = 0;
  const result = await enqueueRun({
    input,
    topic: flags.topic,
    state: flags.state,
    rate: flags.rate === undefined ? undefined : new Rate(parseRate(flags.rate)),
    env,
    signal,
    watch: (line) => showProgress(process.stderr, line, flags.quiet),
    log,
    onBad: (line, detail) => {
      if (++shown <= MAX_SHOWN) log.warn(`line ${line} is no event: ${detail}`);
    },
  });
  process.stdout.write(`${enqueueSummary(result).join("\n")}\n`);
  return result.waiting !== undefined || (result.bad > 0 && result.sent > 0) ? 2 : 0;
}
