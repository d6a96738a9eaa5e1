import { readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { makeDirectory } from "../../adapters/files/make-directory.ts";
import type { Verdict } from "../../events/verdict.ts";
import { counted } from "../../kernel/counted.ts";
import { OutputUnwritableError, toError } from "../../kernel/errors.ts";
import { systemClock } from "../../kernel/system-clock.ts";
import { unobserved } from "../../worker/observer.ts";
import type { Environment } from "../config.ts";
import { openDemoWorld } from "../demo-world.ts";
import { inLineOrder } from "../in-line-order.ts";
import { liveLine } from "../live-line.ts";
import { bundled } from "../package-root.ts";
import { type Progress, progressLine } from "../progress.ts";
import { paintFor, verdictLines } from "../report.ts";
import { screenRun } from "../screen-run.ts";
import { outcomeLine, summaryLines } from "../summary.ts";

/**
 * `weir demo`: the checked-in events through the real service and the real worker code, over chains of its own.
 *
 * @returns the exit status.
 */
export async function demo(out: string, env: Environment, signal: AbortSignal): Promise<number> {
  await clear(out);
  const paint = paintFor(process.stdout, env);
  const say = (text: string) => process.stdout.write(`${text}\n`);
  say(`Screening ${path.relative(process.cwd(), bundled.demoEvents)} (sources: demo/SOURCES.md) over`);
  const world = await openDemoWorld(env, systemClock, signal);
  try {
    for (const [name, what] of world.parts) say(`  ${name.padEnd(9)} ${what}`);
    say("");
    let progress: () => Progress | undefined = () => undefined;
    let polling = 0;
    let polled = 0;
    const live = liveLine(process.stdout, () => statusLine(progress(), polling), paint.dim);
    const order = inLineOrder((verdict: Verdict) => live.print(verdictLines(verdict, paint).join("\n")));
    const result = await screenRun({
      input: { path: bundled.demoEvents, defaults: { users: [] } },
      out,
      env: world.env,
      signal,
      watch: (current) => {
        progress = current;
        return () => undefined;
      },
      warn: () => undefined,
      observer: {
        ...unobserved,
        polls(change) {
          polling += change;
          if (change > 0) polled++;
        },
      },
      onVerdict: order.take,
    }).finally(live.end);
    order.rest();
    say(summaryLines(result, out).join("\n"));
    if (result.tally.exitStatus() === 1) {
      say(`\n${outcomeLine(result.tally)}`);
      return 1;
    }
    if (polled > 0) say(`\nAnalyses in progress were asked for again ${counted(polled, "time")}, as the service said.`);
    // The file holds lines that must be refused, so a run that refuses them is a success.
    say("\nUNKNOWN are the events that must not be guessed at; each says why.");
    for (const missing of world.missing) say(missing);
    return 0;
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    process.stderr.write("weir: stopped; what the demo had started is ended, and the same command begins it anew\n");
    return 1;
  } finally {
    await world.close();
  }
}

function statusLine(progress: Progress | undefined, polling: number): string {
  if (progress === undefined) return "starting the service…";
  const waits = polling === 0 ? "" : ` · ${counted(polling, "token")} in analysis, asked again when due`;
  return `${progressLine(progress)}${waits}`;
}

/** Left in the folder of a demo; only a folder that holds it is emptied for the next one. */
const MARK = ".demo";

/** @throws {OutputUnwritableError} when the folder holds anything that no demo left there. */
async function clear(out: string): Promise<void> {
  try {
    await makeDirectory(path.resolve(out));
    const files = await readdir(out);
    if (files.length > 0 && !files.includes(MARK)) {
      throw new OutputUnwritableError(`${out} is not empty and holds no earlier demo: choose another --out`);
    }
    await writeFile(path.join(out, MARK), "");
    for (const file of ["verdicts.ndjson", "run.json", "tickets.ndjson", "quota.json"])
      await rm(path.join(out, file), { force: true });
    await rm(path.join(out, "archive"), { recursive: true, force: true });
  } catch (thrown) {
    if (thrown instanceof OutputUnwritableError) throw thrown;
    throw new OutputUnwritableError(`cannot write to ${out}: ${toError(thrown).message}: choose another --out`);
  }
}
