import { duration } from "./progress.ts";
import type { ScreenRunResult } from "./screen-run.ts";

/** The table at the end of a run: counts, what went wrong, where everything lies, and what to do next. */
export function summaryLines({ tally, verdictsFile, archived }: ScreenRunResult, out: string): readonly string[] {
  const lines = [
    "",
    ...tally.decisions().map(([decision, count]) => row(decision, count)),
    row("events", tally.settled),
    row("requests", tally.requests),
    row("429s", tally.rateLimited),
    `${"time".padEnd(12)}${duration(tally.elapsedMs / 1000).padStart(10)}`,
  ];
  if (tally.resumed > 0) lines.push(`resumed: ${tally.resumed} of them were there before this run`);
  if (tally.byFailure.size > 0) {
    lines.push("", "UNKNOWN because of:", ...[...tally.byFailure].map(([code, count]) => row(`  ${code}`, count, 26)));
  }
  lines.push(
    "",
    `verdicts  ${verdictsFile}`,
    `archive   ${out}/archive (${archived.objects} new objects)`,
    "",
    outcome(tally.exitStatus()),
  );
  return lines;
}

function row(name: string, count: number, width = 12): string {
  return `${name.padEnd(width)}${String(count).padStart(10)}`;
}

function outcome(status: 0 | 1 | 2): string {
  if (status === 0) return "Every event was read and every required check answered.";
  if (status === 2) return "Some events could not be screened; their verdicts are UNKNOWN and say why (exit status 2).";
  return "The service failed some checks; those verdicts are UNKNOWN. See that it runs, then screen them again with a new --out (exit status 1).";
}
