import { failureMeanings } from "../../config/docs/failure-meanings.ts";
import { findingMeanings } from "../../config/docs/finding-meanings.ts";
import { bySeverity } from "../severity-order.ts";
import type { CountRow } from "../totals/count-table.ts";
import type { Totals } from "../totals/totals.ts";
import { barChart, decisionChart, findingChart, timeChart } from "./charts.ts";
import { countHtml, escaped, table } from "./html.ts";

/** The pictures: decisions, findings, decisions over time, and how full the requests were. */
export function picturesSection(totals: Totals): string {
  const fill = totals.fill.sizes().map(({ name, requests }) => ({ name, count: requests, color: "plain" }));
  const pictures = [
    decisionChart(totals.byDecision),
    findingChart(totals.findings.rows()),
    timeChart(totals.times.spans(), totals.times.widthMs),
    barChart("Requests by the number of events that one answered", fill),
  ];
  return `<section aria-labelledby="h-pictures"><h2 id="h-pictures">Pictures</h2><div class="pictures">${pictures.join("\n")}</div></section>`;
}

/** The tables of totals. */
export function totalsSection(totals: Totals): string {
  const { findings, chains, tenants, lists } = totals;
  const findingRows = findings.rows();
  const tables = [
    table(
      "Findings",
      ["Finding", "Events", ...bySeverity, "Meaning", "What to do"],
      findingRows.map((row) => [...countCells(row), ...meaningOf(row.name).map(plain)]),
      NUMBERS,
    ),
    countTable("Chains", "Chain", chains.rows()),
    countTable("Tenants", "Tenant", tenants.rows()),
    lists.rows().length === 0
      ? "<p>No list holds an address of these events.</p>"
      : countTable("Lists that hold an address of an event", "List", lists.rows()),
    table(
      "Requests, as far as verdicts show them: entries with one time of request count as one request",
      ["Check", "Requests", "Events answered", "Events per request", "Answered by the cache"],
      totals.fill
        .rows()
        .map(({ check, requests, entries, cached }) => [
          ...[escaped(check), countHtml(requests), countHtml(entries)],
          ...[(entries / Math.max(1, requests)).toFixed(1), countHtml(cached)],
        ]),
      new Set([1, 2, 3, 4]),
    ),
  ];
  return `<section aria-labelledby="h-totals"><h2 id="h-totals">Totals</h2>${tables.join("\n")}</section>`;
}

/** The events that were not screened in full, and why. */
export function failuresSection(totals: Totals): string {
  const rows = totals.failures();
  const body =
    rows.length === 0
      ? "<p>Every required check of every event has an answer.</p>"
      : table(
          "Checks without an answer",
          ["Failure", "Events", "First event", "What it said", "What happened", "What to do"],
          rows.map(({ code, events, position, detail }) => [
            ...[`<code>${escaped(code)}</code>`, countHtml(events), escaped(position), escaped(detail)],
            ...failureMeaning(code).map(plain),
          ]),
          new Set([1]),
        );
  return `<section aria-labelledby="h-failures"><h2 id="h-failures">What was not screened, and why</h2>${body}</section>`;
}

const NUMBERS = new Set([1, 2, 3, 4, 5]);

function countTable(caption: string, name: string, rows: readonly CountRow[]): string {
  return table(caption, [name, "Events", ...bySeverity], rows.map(countCells), NUMBERS);
}

function countCells({ name, events, byDecision }: CountRow): readonly string[] {
  return [escaped(name), countHtml(events), ...bySeverity.map((decision) => countHtml(byDecision[decision]))];
}

/** The meaning of a finding by the table of docs/verdicts.md, or of a failure. */
function meaningOf(name: string): readonly [meaning: string, action: string] {
  const [check = "", finding = ""] = name.split(": ");
  const known: unknown = Object(Object(findingMeanings)[check])[finding];
  const { means, action } = Object(known);
  return typeof means === "string" ? [means, String(action)] : failureMeaning(finding);
}

function failureMeaning(code: string): readonly [meaning: string, action: string] {
  const meaning = Object.entries(failureMeanings).find(([known]) => known === code)?.[1];
  return meaning === undefined ? ["", ""] : [meaning[0], meaning[1]];
}

/** The texts of the documents mark code by backticks, and links by brackets. */
function plain(text: string): string {
  return escaped(text)
    .replace(/`([^`]*)`/g, "<code>$1</code>")
    .replace(/\[([^\]]*)\]\(([\w-]+\.md)[^)]*\)/g, "$1 (docs/$2)");
}
