import path from "node:path";
import { systemClock } from "../../kernel/clock.ts";
import { countText } from "../../kernel/text.ts";
import { software } from "../program/package-root.ts";
import { keepHeapSmall } from "../screen/node-memory.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { unreadVerdicts } from "./read-verdicts.ts";
import { type ReportResult, reportRun } from "./report-run.ts";

export interface ReportFlags {
  readonly out?: string;
  readonly quiet?: boolean;
}

/** `weir report DIR`. @returns the exit status: 2 when some lines of the log hold no verdict. */
export async function report(
  dir: string,
  { out = dir, quiet = false }: ReportFlags,
  signal: AbortSignal,
): Promise<0 | 2> {
  keepHeapSmall();
  const result = await reportOf(dir, out, signal, quiet);
  process.stdout.write(`${reportLines(result, out).join("\n")}\n`);
  return result.facts.read.unreadable === undefined ? 0 : 2;
}

/** Makes the report of the folder `dir` in the folder `out`. */
export async function reportOf(dir: string, out: string, signal: AbortSignal, isQuiet = false): Promise<ReportResult> {
  let read = 0;
  let step = "read";
  const unwatch = showProgress(process.stderr, () => `report · ${countText(read, "verdict")} ${step}`, isQuiet);
  const onProgress = (verdicts: number, isWriting: boolean) => {
    read = verdicts;
    if (isWriting) step = "read, the tables are being written";
  };
  return reportRun({ dir, out, clock: systemClock, software, signal, onProgress }).finally(unwatch);
}

/** The lines of a command about the report that it made. */
export function reportLines({ facts, page }: ReportResult, out: string): readonly string[] {
  return [
    ...unreadVerdicts(facts.read),
    `${countText(facts.needPerson, "row")} of ${countText(facts.totals.events, "event")} need a person`,
    ...[page, ...facts.files].map(
      ({ name, sha256 }) => `report    ${path.join(out, name)} (SHA-256 ${sha256.slice(0, 12)})`,
    ),
  ];
}
