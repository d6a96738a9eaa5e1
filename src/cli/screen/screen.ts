import { STDIN } from "../../adapters/files/input/input-bytes.ts";
import type { Verdict } from "../../messages/verdict.ts";
import type { Environment } from "../config/config.ts";
import { type FileFlags, inputOptions } from "../terminal/input-options.ts";
import { progressLine, type RunProgress } from "../terminal/progress.ts";
import { clearProgress, showProgress } from "../terminal/show-progress.ts";
import { SmoothedPace } from "../terminal/smoothed-pace.ts";
import { paintFor } from "../verdict-text/paint.ts";
import { verdictLines } from "../verdict-text/verdict-lines.ts";
import { keepHeapSmall } from "./node-memory.ts";
import { screenRun } from "./screen-run.ts";
import { outcomeLine, summaryLines } from "./summary.ts";

export interface ScreenFlags extends FileFlags {
  readonly out: string;
  readonly show?: boolean;
  readonly report?: boolean;
  readonly quiet?: boolean;
  readonly color: boolean;
}

/** `weir screen FILE`. @returns the exit status. */
export async function screen(file: string, flags: ScreenFlags, env: Environment, signal: AbortSignal): Promise<number> {
  keepHeapSmall();
  if (file === STDIN && process.stdin.isTTY === true)
    process.stderr.write("weir: reading events from the terminal; end them with Ctrl-D\n");
  const warn = (message: string) => {
    clearProgress(process.stderr);
    process.stderr.write(`weir: ${message}\n`);
  };
  const input = await inputOptions(file, flags, warn);
  const result = await screenRun({
    input,
    out: flags.out,
    env,
    signal,
    watch: (progress) => showProgress(process.stderr, smoothed(progress), flags.quiet),
    warn,
    ...(flags.show === true ? { onVerdict: showUnlessAllowed(env, flags.color) } : {}),
  });
  const made = flags.report === true ? await reportOn(flags.out, signal, flags.quiet) : [];
  process.stdout.write(`${[...summaryLines(result, flags.out), ...made, "", outcomeLine(result.tally)].join("\n")}\n`);
  return result.tally.exitStatus();
}

/** Loaded on demand: a run that makes no report needs none of the code in memory. */
async function reportOn(dir: string, signal: AbortSignal, isQuiet?: boolean): Promise<readonly string[]> {
  const { reportLines, reportOf } = await import("../report/report.ts");
  return reportLines(await reportOf(dir, dir, signal, isQuiet), dir);
}

/** The line of a run, with the remaining time by the pace of late. */
function smoothed(progress: () => RunProgress): () => string {
  const pace = new SmoothedPace();
  return () => {
    const now = progress();
    return progressLine(now, pace.add(now.done - now.resumedAt, now.elapsedMs) ?? 0);
  };
}

function showUnlessAllowed(env: Environment, color: boolean): (verdict: Verdict) => void {
  const paint = paintFor(process.stdout, env, color);
  return (verdict) => {
    if (verdict.decision === "ALLOW") return;
    // Both streams are one terminal, and the verdict would stand behind the progress.
    if (process.stdout.isTTY === true) clearProgress(process.stderr);
    process.stdout.write(`${verdictLines(verdict, paint).join("\n")}\n`);
  };
}
