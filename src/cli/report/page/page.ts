import { createHash } from "node:crypto";
import { unreadVerdicts } from "../read-verdicts.ts";
import type { ReportFacts } from "../report-facts.ts";
import { bySeverity } from "../severity-order.ts";
import { conditionsSection, signatureSection } from "./conditions-section.ts";
import { countHtml, escaped } from "./html.ts";
import { rowsSection } from "./rows-section.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";
import { failuresSection, picturesSection, totalsSection } from "./totals-section.ts";

/** The report as one page without any request. Its policy permits this style and this script, and nothing else. */
export function reportPage(facts: ReportFacts): string {
  const title = `Screening report of ${facts.folder}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#person">Go to the rows that need a person</a>
${header(facts, title)}
<main>
${rowsSection(facts)}
${picturesSection(facts.totals)}
${failuresSection(facts.totals)}
${totalsSection(facts.totals)}
${conditionsSection(facts)}
${signatureSection(facts)}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function header({ madeAt, madeBy, totals, interim, needPerson, read }: ReportFacts, title: string): string {
  const cards = bySeverity.map(
    (decision) =>
      `<li><strong class="${decision}">${countHtml(totals.byDecision[decision])}</strong>${decision} ${share(totals.byDecision[decision], totals.events)}</li>`,
  );
  const notes = unreadVerdicts(read).map((line) => `<p><strong>${escaped(line)}</strong></p>`);
  const replaced =
    interim === 0
      ? ""
      : ` ${countHtml(interim)} earlier verdicts were replaced by later revisions and are not counted.`;
  return `<header><h1>${escaped(title)}</h1>
<p class="soft">Made ${escaped(madeAt)} by ${escaped(madeBy)}.</p>
<p>${countHtml(totals.events)} events have a verdict; ${countHtml(needPerson)} need a person.${replaced}</p>
${notes.join("")}<ul class="cards">${cards.join("")}</ul></header>`;
}

function share(part: number, whole: number): string {
  return whole === 0 ? "" : `(${((100 * part) / whole).toFixed(1)} %)`;
}

function contentPolicy(): string {
  return [
    "default-src 'none'",
    `style-src '${sourceHash(STYLE)}'`,
    `script-src '${sourceHash(SCRIPT)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** The hash by which a policy permits an inline element. Source: W3C, Content Security Policy Level 3. */
function sourceHash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
