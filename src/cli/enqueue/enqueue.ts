import type { Format } from "../../adapters/files/input/format.ts";
import { STDIN } from "../../adapters/files/input/input-bytes.ts";
import type { Environment } from "../config/config.ts";
import { checkInputFlags } from "../terminal/input-flags.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { stderrLog } from "../terminal/stderr-log.ts";
import { enqueueRun } from "./enqueue-run.ts";
import { enqueueSummary } from "./enqueue-summary.ts";
import { parseRate, Rate } from "./rate.ts";

export interface EnqueueFlags {
  readonly topic?: string;
  readonly rate?: string;
  readonly state?: string;
  readonly quiet?: boolean;
  readonly format?: Format;
  readonly chain?: string;
  readonly user: readonly string[];
  readonly token?: string;
  readonly ignore: readonly string[];
  readonly finished?: boolean;
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
  checkInputFlags(flags);
  if (file === STDIN && process.stdin.isTTY === true)
    process.stderr.write("weir: reading events from the terminal; end them with Ctrl-D\n");
  const log = stderrLog(process.stderr);
  let shown = 0;
  const result = await enqueueRun({
    input: {
      path: file,
      format: flags.format,
      defaults: { chain: flags.chain, users: flags.user, token: flags.token },
      ignored: flags.ignore,
      isFinished: flags.finished,
    },
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
