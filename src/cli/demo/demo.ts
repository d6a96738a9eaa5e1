import path from "node:path";
import { systemClock } from "../../kernel/clock.ts";
import { countText } from "../../kernel/text.ts";
import type { Verdict } from "../../messages/verdict.ts";
import { unobserved } from "../../worker/observer.ts";
import type { Environment } from "../config/config.ts";
import { bundled } from "../program/package-root.ts";
import { screenRun } from "../screen/screen-run.ts";
import { outcomeLine, summaryLines } from "../screen/summary.ts";
import { progressLine, type RunProgress } from "../terminal/progress.ts";
import { paintFor } from "../verdict-text/paint.ts";
import { verdictLines } from "../verdict-text/verdict-lines.ts";
import { emptyForDemo } from "./demo-folder.ts";
import { openDemoWorld } from "./demo-world.ts";
import { liveLine } from "./live-line.ts";
import { sortByLine } from "./sort-by-line.ts";

/**
 * `weir demo`: screens the checked-in events with the real service and the real worker code, over local chains.
 *
 * @returns the exit status.
 */
export async function demo(out: string, env: Environment, signal: AbortSignal): Promise<number> {
  const warn = (message: string) => process.stderr.write(`weir: ${message}\n`);
  await emptyForDemo(out, { signal, warn });
  const paint = paintFor(process.stdout, env);
  const say = (text: string) => process.stdout.write(`${text}\n`);
  say(`Screening ${path.relative(process.cwd(), bundled.demoEvents)} (sources: demo/SOURCES.md) over`);
  const world = await openDemoWorld(env, systemClock, signal);
  try {
    for (const [name, what] of world.parts) say(`  ${name.padEnd(9)} ${what}`);
    say("");
    let progress: () => RunProgress | undefined = () => undefined;
    let polling = 0;
    let polled = 0;
    const live = liveLine(process.stdout, () => statusLine(progress(), polling), paint.dim);
    const order = sortByLine((verdict: Verdict) => live.print(verdictLines(verdict, paint).join("\n")));
    const result = await screenRun({
      input: { path: bundled.demoEvents, defaults: { users: [] } },
      out,
      // The demo's events show what happens without a node, and the demo says so itself.
      tellsUnserved: false,
      env: world.env,
      signal,
      watch: (current) => {
        progress = current;
        return () => undefined;
      },
      warn,
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
    if (polled > 0)
      say(`\nAnalyses in progress were asked for again ${countText(polled, "time")}, as the service said.`);
    // The file holds lines that must be refused, so a run that refuses them succeeds.
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

function statusLine(progress: RunProgress | undefined, polling: number): string {
  if (progress === undefined) return "starting the service…";
  const waits = polling === 0 ? "" : ` · ${countText(polling, "token")} in analysis, asked again when due`;
  return `${progressLine(progress)}${waits}`;
}
