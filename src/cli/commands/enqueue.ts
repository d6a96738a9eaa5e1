import type { Format } from "../../adapters/files/format.ts";
import { STDIN } from "../../adapters/files/input-bytes.ts";
import type { Environment } from "../config.ts";
import { type EnqueueResult, enqueueRun } from "../enqueue-run.ts";
import { checkInputFlags } from "../input-flags.ts";
import { duration, showProgress } from "../progress.ts";
import { parseRate, Rate } from "../rate.ts";
import { stderrLog } from "../stderr-log.ts";
import { unreadLines } from "../unread-lines.ts";

export interface EnqueueFlags {
  readonly topic?: string;
  readonly rate?: string;
  readonly state?: string;
  readonly format?: Format;
  readonly chain?: string;
  readonly user: readonly string[];
  readonly token?: string;
  readonly ignore: readonly string[];
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
    },
    topic: flags.topic,
    state: flags.state,
    rate: flags.rate === undefined ? undefined : new Rate(parseRate(flags.rate)),
    env,
    signal,
    watch: (line) => showProgress(process.stderr, line),
    log,
    onBad: (line, detail) => {
      if (++shown <= MAX_SHOWN) log.warn(`line ${line} is no event: ${detail}`);
    },
  });
  process.stdout.write(`${[...summary(result), ...unreadLines(result.unread)].join("\n")}\n`);
  return result.bad > 0 && result.sent > 0 ? 2 : 0;
}

function summary({ topic, sent, bad, before, lines, elapsedMs }: EnqueueResult): readonly string[] {
  if (sent === 0 && before > 0) return [`Nothing to send: all lines up to ${lines} are in ${topic} already.`];
  if (sent === 0) return ["The input holds no events."];
  const took = `${duration(elapsedMs / 1_000)}, ${Math.round((sent * 1_000) / Math.max(1, elapsedMs))}/s`;
  const done = [`Sent to ${topic}: ${sent} (${took})`];
  if (before > 0) done.push(`The lines up to ${before} were there before this run.`);
  if (bad > 0)
    done.push(`No events: ${bad}; they were sent as they are, to be UNKNOWN and dead letters (exit status 2)`);
  return done;
}
