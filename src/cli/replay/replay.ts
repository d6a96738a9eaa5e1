import { systemClock } from "../../kernel/clock.ts";
import type { Environment } from "../config/config.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { stderrLog } from "../terminal/stderr-log.ts";
import { type DeadLetterFlags, deadLetterFilter } from "./dead-letter-filter.ts";
import { type ReplayResult, replayRun } from "./replay-run.ts";

export interface ReplayFlags extends DeadLetterFlags {
  readonly all?: boolean;
  readonly run?: boolean;
  readonly quiet?: boolean;
}

/** `weir replay`. @returns the exit status. */
export async function replay(flags: ReplayFlags, env: Environment, signal: AbortSignal): Promise<0> {
  const { all = false, run = false } = flags;
  const result = await replayRun({
    filter: deadLetterFilter(flags, systemClock.now()),
    all,
    run,
    env,
    signal,
    watch: (line) => showProgress(process.stderr, line, flags.quiet),
    log: stderrLog(process.stderr),
  });
  process.stdout.write(`${summary(result, { all, run }).join("\n")}\n`);
  return 0;
}

function summary(
  { tally, deadLetters, retries, letters, isCommitted }: ReplayResult,
  { all, run }: { readonly all: boolean; readonly run: boolean },
): readonly string[] {
  if (letters === 0) {
    return [
      all
        ? `${deadLetters} holds no dead letters.`
        : `${deadLetters} holds no dead letters since the last complete replay.`,
    ];
  }
  const done = `${tally.replayed} of ${letters} dead letters of ${deadLetters}`;
  const lines = [run ? `Replayed ${done} to ${retries}.` : `Would replay ${done}.`, ...tally.lines(), ""];
  if (!run)
    lines.push(tally.replayed === 0 ? "There is nothing to replay." : "Nothing was written: add --run to replay them.");
  else if (isCommitted) lines.push("The next replay begins behind these letters; --all begins at the first one again.");
  else lines.push("The next replay begins where this one did, since flags chose among the letters.");
  return lines;
}
