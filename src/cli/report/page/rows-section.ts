import { caretLine, type LookalikePair, partsOf } from "../../verdict-text/lookalike-pair.ts";
import type { ReportFacts } from "../report-facts.ts";
import type { ReportRow } from "../report-row.ts";
import { countHtml, escaped } from "./html.ts";

/** Most columns of the producer in the page. The tables beside the page hold all of them. */
const MOST_COLUMNS = 8;

/** The rows that need a person, with filters. */
export function rowsSection({ rows, needPerson, refNames }: ReportFacts): string {
  const own = refNames.slice(0, MOST_COLUMNS);
  const header = ["Decision", "Line", "Event", "Subject", "Reasons", ...own.map(columnTitle)];
  const heads = header.map((name) => `<th scope="col">${escaped(name)}</th>`).join("");
  const left = needPerson - rows.length;
  const more =
    left > 0
      ? `<p><strong>${countHtml(left)} more rows need a person.</strong> The page holds the ${countHtml(rows.length)} most severe ones; report.csv and report.xlsx hold all ${countHtml(needPerson)}.</p>`
      : "";
  const hidden =
    refNames.length > own.length
      ? `<p>${refNames.length - own.length} more columns came with the rows. report.csv and report.xlsx hold them.</p>`
      : "";
  const body = rows.length === 0 ? "<p>No row needs a person.</p>" : "";
  return `<section aria-labelledby="h-rows" id="person"><h2 id="h-rows">Rows that need a person</h2>
<p>Every verdict but ALLOW, by severity (BLOCK, UNKNOWN, WARN), then by line of the input.</p>
${more}${hidden}${body}${filters(rows)}
<p id="shown" role="status" aria-live="polite">${rows.length} rows</p>
<div class="scroll" tabindex="0" role="region" aria-label="Rows that need a person"><table id="rows">
<caption>Rows that need a person</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${rows.map((row) => rowHtml(row, own)).join("\n")}
</tbody></table></div></section>`;
}

function columnTitle(name: string): string {
  return name === "ref" ? name : `ref.${name}`;
}

function rowHtml(row: ReportRow, own: readonly string[]): string {
  const findings = row.reasons.map(({ check, finding }) => `${check}: ${finding}`).join("|");
  const values = new Map(row.columns);
  const event = [row.eventId, row.tenant === "" ? "" : `tenant ${row.tenant}`].filter((text) => text !== "");
  const data = [
    ["decision", row.decision],
    ["findings", findings],
    ["chain", row.chain],
    ["tenant", row.tenant],
  ].map(([name, value]) => `data-${name}="${escaped(value ?? "")}"`);
  const cells = [
    `<th scope="row" class="${row.decision}">${row.decision}</th>`,
    `<td><span class="soft">${escaped(row.file)}</span> ${escaped(row.position)}</td>`,
    `<td>${event.map(escaped).join("<br>")}</td>`,
    `<td>${subjectHtml(row)}</td>`,
    `<td>${reasonsHtml(row)}</td>`,
    ...own.map((name) => `<td>${escaped(values.get(name) ?? "")}</td>`),
  ];
  return `<tr ${data.join(" ")}>${cells.join("")}</tr>`;
}

function subjectHtml({ type, chain, address, token, sha256 }: ReportRow): string {
  const parts = [
    `${escaped(chain)} ${type === "address" ? "" : escaped(type)}`,
    ...(address === "" ? [] : [code(address)]),
    ...(token === "" ? [] : [`token ${code(token)}`]),
    ...(sha256 === "" ? [] : [`SHA-256 ${code(sha256)}`]),
  ];
  return parts.join("<br>");
}

function reasonsHtml({ reasons, evidence }: ReportRow): string {
  const items = reasons.map(
    ({ check, finding, detail, pair }) =>
      `<li><strong>${escaped(check)}: ${escaped(finding)}</strong> ${escaped(detail)}${pair === undefined ? "" : pairHtml(pair)}</li>`,
  );
  const proofs = evidence.map((text) => `<li class="soft mono">evidence: ${escaped(text)}</li>`);
  return `<ul class="plain">${items.join("")}${proofs.join("")}</ul>`;
}

/** Both addresses one below the other, with carets below the equal characters. */
function pairHtml(pair: LookalikePair): string {
  const marked = (text: string) => {
    const [head, middle, tail] = partsOf(text, pair);
    return `<mark>${escaped(head)}</mark>${escaped(middle)}${tail === "" ? "" : `<mark>${escaped(tail)}</mark>`}`;
  };
  return `<pre>this      ${marked(pair.suspect)}
imitates  ${marked(pair.imitated)}
          ${escaped(caretLine(pair))}</pre>`;
}

function code(text: string): string {
  return `<code>${escaped(text)}</code>`;
}

/** The filters stay hidden until the script of the page runs. */
function filters(rows: readonly ReportRow[]): string {
  const findings = rows.flatMap(({ reasons }) => reasons.map(({ check, finding }) => `${check}: ${finding}`));
  return `<form class="filters" id="filters" hidden>
<label>Text <input type="search" name="text" autocomplete="off"></label>
${select(
  "decision",
  "Decision",
  rows.map(({ decision }) => decision),
)}
${select("finding", "Finding", findings)}
${select(
  "chain",
  "Chain",
  rows.map(({ chain }) => chain),
)}
${select(
  "tenant",
  "Tenant",
  rows.map(({ tenant }) => tenant),
)}
<button type="reset">Show all</button></form>`;
}

function select(name: string, title: string, values: readonly string[]): string {
  const options = [...new Set(values)].filter((value) => value !== "").toSorted();
  return `<label>${title} <select name="${name}"><option value="">all</option>${options.map((value) => `<option>${escaped(value)}</option>`).join("")}</select></label>`;
}
