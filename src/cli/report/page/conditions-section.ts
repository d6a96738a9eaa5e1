import type { NamedListSet, ReportFacts } from "../report-facts.ts";
import type { CountTable } from "../totals/count-table.ts";
import { countHtml, escaped, table } from "./html.ts";

/** Policy, lists and versions, by which another run gives the same verdicts. */
export function conditionsSection({ totals, run, listSets, madeBy }: ReportFacts): string {
  const rows = [
    ...named("Policy table", totals.policies),
    ...named("Set of lists", totals.listSets),
    ...named("Deciding software", totals.softwares),
    ["Reporting software", escaped(madeBy), ""],
    ...(run === undefined
      ? []
      : [
          ["Policy file (run.json)", hash(run.policy), ""],
          ["Service (run.json)", escaped(run.service), ""],
          ["Label files of the service (run.json)", run.labels === "" ? "" : hash(run.labels), ""],
        ]),
  ];
  const sets = listSets.map(listSetHtml).join("\n");
  return `<section aria-labelledby="h-conditions"><h2 id="h-conditions">Policy, lists and versions</h2>
${table("Conditions of the verdicts", ["What", "Value", "Events"], rows, new Set([2]))}
${sets}</section>`;
}

function named(what: string, counts: CountTable): readonly (readonly string[])[] {
  return counts.rows().map(({ name, events }) => [what, `<code>${escaped(name)}</code>`, countHtml(events)]);
}

function listSetHtml({ id, lists }: NamedListSet): string {
  if (lists === undefined) return `<p>The archive of this folder does not hold the set of lists ${escaped(id)}.</p>`;
  return table(
    `Set of lists ${id}`,
    ["List", "Date", "SHA-256"],
    lists.map(({ name, date, sha256 }) => [escaped(name), escaped(date), hash(sha256)]),
  );
}

/** The files of the report with their hashes, and lines for a signature on paper. */
export function signatureSection({ read, files }: ReportFacts): string {
  const all = [{ name: "verdicts.ndjson", bytes: read.bytes, sha256: read.sha256 }, ...files];
  return `<section aria-labelledby="h-sign"><h2 id="h-sign">Sign-off</h2>
<p>A signature under this page covers these files. Compare a hash with <code>sha256sum</code>.</p>
${table(
  "Files",
  ["File", "Bytes", "SHA-256"],
  all.map(({ name, bytes, sha256 }) => [escaped(name), countHtml(bytes), hash(sha256)]),
  new Set([1]),
)}
<div class="sign"><span>Name</span><span>Date</span><span>Signature</span></div></section>`;
}

function hash(text: string): string {
  return `<code>${escaped(text)}</code>`;
}
