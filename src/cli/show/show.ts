import { tmpdir } from "node:os";
import { SortedLines } from "../../adapters/files/output/sorted-lines.ts";
import { readVerdict } from "../../archive/reading/read-verdict.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { countText } from "../../kernel/text.ts";
import type { Environment } from "../config/config.ts";
import { csvLine } from "../report/csv-text.ts";
import { LatestRevisions } from "../report/latest-revisions.ts";
import { readVerdicts, unreadVerdicts } from "../report/read-verdicts.ts";
import { reportRow } from "../report/report-row.ts";
import { headerCells, RefColumns, rowCells } from "../report/row-cells.ts";
import { severityKey } from "../report/severity-order.ts";
import { paintFor } from "../verdict-text/paint.ts";
import { verdictLines } from "../verdict-text/verdict-lines.ts";
import { type FilterFlags, verdictFilter } from "./verdict-filter.ts";

export interface ShowVerdictsFlags extends FilterFlags {
  readonly csv?: boolean;
  readonly json?: boolean;
  readonly color: boolean;
}

/** The stream that takes the verdicts. */
export interface ShowOutput {
  readonly isTTY?: boolean;
  /** Resolves when there is room for more. */
  readonly write: (text: string) => Promise<void>;
}

/**
 * `weir show DIR`: the verdicts of a run, most severe first. It starts no service, and reads the log of verdicts once.
 *
 * @returns the exit status: 2 when some lines of the log hold no verdict.
 */
export async function show(
  dir: string,
  flags: ShowVerdictsFlags,
  env: Environment,
  signal: AbortSignal,
  output: ShowOutput,
  note: (line: string) => void,
): Promise<0 | 2> {
  if (flags.csv === true && flags.json === true) throw new ConfigInvalidError("--csv and --json: give one of the two");
  const fits = verdictFilter(flags);
  const revisions = new LatestRevisions();
  const refs = new RefColumns();
  const rows = new SortedLines(tmpdir());
  try {
    const read = await readVerdicts(dir, signal, (verdict, line) => {
      revisions.add(verdict);
      if (!fits(verdict)) return undefined;
      if (flags.csv === true) refs.add(reportRow(verdict));
      return rows.add(severityKey(verdict, line.number), line.bytes.toString("utf8"));
    });
    const shown = await print(rows.read(), { flags, env, revisions, refNames: refs.names, output, signal });
    note(`${countText(shown, "verdict")} shown of ${read.verdicts} in ${read.file}${restText(flags)}`);
    const unread = unreadVerdicts(read);
    for (const line of unread) note(line);
    return read.unreadable === undefined ? 0 : 2;
  } finally {
    await rows.close();
  }
}

interface Printing {
  readonly flags: ShowVerdictsFlags;
  readonly env: Environment;
  readonly revisions: LatestRevisions;
  readonly refNames: readonly string[];
  readonly output: ShowOutput;
  readonly signal: AbortSignal;
}

/** @returns the number of printed verdicts. A verdict that a later revision replaces is left out. */
async function print(lines: AsyncGenerator<string>, printing: Printing): Promise<number> {
  const { flags, env, revisions, refNames, output, signal } = printing;
  const paint = paintFor(output, env, flags.color);
  if (flags.csv === true) await output.write(csvLine(headerCells(refNames)));
  let shown = 0;
  for await (const line of lines) {
    signal.throwIfAborted();
    const verdict = readVerdict(Buffer.from(line));
    if (verdict === undefined || revisions.isReplaced(verdict)) continue;
    shown++;
    if (flags.json === true) await output.write(`${line}\n`);
    else if (flags.csv === true) await output.write(csvLine(rowCells(reportRow(verdict), refNames)));
    else await output.write(`${verdictLines(verdict, paint).join("\n")}\n`);
  }
  return shown;
}

function restText({ decision, finding, chain, address, line }: FilterFlags): string {
  const isFiltered = [decision, finding, chain, address, line].some((values) => values.length > 0);
  return isFiltered ? "" : "; without a filter, ALLOW is left out: --decision allow shows it";
}
