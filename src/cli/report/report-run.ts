import { readFile } from "node:fs/promises";
import path from "node:path";
import { HashedFile } from "../../adapters/files/output/hashed-file.ts";
import { makeDirectory } from "../../adapters/files/output/make-directory.ts";
import { SortedLines } from "../../adapters/files/output/sorted-lines.ts";
import { type Clock, timestamp } from "../../kernel/clock.ts";
import { listSetFault, listSetKey } from "../../labels/list-set.ts";
import { lacking, type Verdict } from "../../messages/verdict.ts";
import { runConditionsIn } from "../screen/run-conditions.ts";
import { LatestRevisions } from "./latest-revisions.ts";
import { reportPage } from "./page/page.ts";
import { readVerdicts } from "./read-verdicts.ts";
import type { NamedListSet, ReportFacts, SignedFile } from "./report-facts.ts";
import { ReportFiles } from "./report-files.ts";
import { type ReportRow, reportRow } from "./report-row.ts";
import { RefColumns } from "./row-cells.ts";
import { severityKey } from "./severity-order.ts";
import { Totals } from "./totals/totals.ts";
import { factsOf, type VerdictFacts } from "./totals/verdict-facts.ts";

/** Most rows in the page. Chosen: a browser still opens and filters them at once. The tables hold all rows. */
const MOST_ROWS = 5_000;
const PAGE = "report.html";

export interface ReportOptions {
  /** Folder of a run. */
  readonly dir: string;
  /** Folder that takes the report. */
  readonly out: string;
  readonly clock: Clock;
  readonly software: string;
  readonly signal: AbortSignal;
  /** Receives the number of verdicts that were read, and the step. */
  readonly onProgress?: (verdicts: number, isWriting: boolean) => void;
}

export interface ReportResult {
  readonly facts: ReportFacts;
  readonly page: SignedFile;
}

/** A verdict that waits until all are read: it may be replaced, or needs a person. */
interface Waiting {
  readonly unanswered?: true | undefined;
  readonly facts: VerdictFacts;
  readonly row: ReportRow;
}

/**
 * Makes the report of a run: a page, and the rows that need a person in CSV and XLSX. It reads the log of verdicts once
 * and holds a bounded part of it in memory.
 */
export async function reportRun(options: ReportOptions): Promise<ReportResult> {
  const { dir, out, clock, software, signal, onProgress = () => undefined } = options;
  const totals = new Totals();
  const revisions = new LatestRevisions();
  const refs = new RefColumns();
  await makeDirectory(path.resolve(out));
  const waiting = new SortedLines(out);
  let count = 0;
  const onVerdict = (verdict: Verdict) => {
    onProgress(++count, false);
    revisions.add(verdict);
    totals.addRequests(verdict);
    const facts = factsOf(verdict);
    if (verdict.decision === "ALLOW" && lacking(verdict) !== "service") {
      totals.add(facts);
      return undefined;
    }
    const row = reportRow(verdict);
    refs.add(row);
    const entry: Waiting = { unanswered: verdict.unanswered, facts, row };
    return waiting.add(severityKey(verdict, count), JSON.stringify(entry));
  };
  try {
    const read = await readVerdicts(dir, signal, onVerdict, true);
    onProgress(count, true);
    const files = await ReportFiles.create(out, refs.names);
    try {
      const rows = await writeRows(waiting, { revisions, totals, files, signal });
      const signed = await files.close(totals);
      const facts: ReportFacts = {
        folder: path.basename(path.resolve(dir)),
        madeAt: timestamp(clock.now()),
        madeBy: software,
        read,
        totals,
        ...rows,
        refNames: refs.names,
        run: await runConditionsIn(dir),
        listSets: await listSetsIn(dir, totals),
        files: signed,
      };
      return { facts, page: await writePage(path.join(out, PAGE), facts) };
    } catch (thrown) {
      await files.abandon();
      throw thrown;
    }
  } finally {
    await waiting.close();
  }
}

interface Writing {
  readonly revisions: LatestRevisions;
  readonly totals: Totals;
  readonly files: ReportFiles;
  readonly signal: AbortSignal;
}

/** Counts the waiting verdicts that no later revision replaces, and writes those that need a person. */
async function writeRows(
  waiting: SortedLines,
  { revisions, totals, files, signal }: Writing,
): Promise<Pick<ReportFacts, "rows" | "needPerson" | "interim">> {
  const rows: ReportRow[] = [];
  let needPerson = 0;
  let interim = 0;
  for await (const line of waiting.read()) {
    signal.throwIfAborted();
    const { facts, row, unanswered }: Waiting = JSON.parse(line);
    const { verdictId: verdict_id, revision, decision } = row;
    if (revisions.isReplaced({ verdict_id, revision, decision, unanswered })) {
      interim++;
      continue;
    }
    totals.add(facts);
    if (facts.decision === "ALLOW") continue;
    needPerson++;
    if (rows.length < MOST_ROWS) rows.push(row);
    await files.add(row);
  }
  return { rows, needPerson, interim };
}

async function writePage(file: string, facts: ReportFacts): Promise<SignedFile> {
  const page = await HashedFile.create(file);
  await page.write(reportPage(facts));
  return { name: PAGE, ...(await page.close()) };
}

/** The sets of lists that the verdicts name, as the archive of the folder holds them. */
async function listSetsIn(dir: string, { listSets }: Totals): Promise<readonly NamedListSet[]> {
  const ids = listSets.rows().map(({ name }) => name);
  return Promise.all(ids.filter((id) => /^[\da-f]+$/.test(id)).map((id) => listSetOf(dir, id)));
}

async function listSetOf(dir: string, id: string): Promise<NamedListSet> {
  const file = path.join(dir, "archive", ...listSetKey(id).split("/"));
  const text = await readFile(file, "utf8").catch(() => undefined);
  // A changed set would name lists that the verdicts never met.
  if (text === undefined || listSetFault(id, text) !== undefined) return { id, lists: undefined };
  return { id, lists: Object(JSON.parse(text)).lists };
}
