import { sha256 } from "../../kernel/hash.ts";
import { type Section, sectionsOf } from "./explained-sections.ts";
import type { VerdictExplanation } from "./explanation.ts";

/** The forms of an explanation. */
export const explainForms = ["text", "json", "markdown", "html"] as const;
export type ExplainForm = (typeof explainForms)[number];

const writers = {
  json: (explanation: VerdictExplanation) =>
    JSON.stringify({ schema: "weir.explanation/1", ...explanation }, undefined, 2),
  text: (explanation: VerdictExplanation) =>
    sectionsOf(explanation)
      .map(({ heading, rows }) => [heading, ...rows.map((row) => `  ${row}`)].join("\n"))
      .join("\n\n"),
  markdown: (explanation: VerdictExplanation) =>
    [`# ${title(explanation)}`, ...sectionsOf(explanation).map(markdownSection)].join("\n\n"),
  html: (explanation: VerdictExplanation) => page(title(explanation), sectionsOf(explanation)),
} satisfies Record<ExplainForm, (explanation: VerdictExplanation) => string>;

export function explanationText(explanation: VerdictExplanation, form: ExplainForm): string {
  return writers[form](explanation);
}

function title({ verdict }: VerdictExplanation): string {
  return `Verdict ${verdict.verdict_id.slice(0, 12)}, revision ${verdict.revision}`;
}

function markdownSection({ heading, rows }: Section): string {
  return [`## ${heading}`, "", ...rows.map((row) => `- ${markdownText(row.trim())}`)].join("\n");
}

/** Text of an event must not become a link, an image or HTML. */
function markdownText(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+\-.!|~&:@]/g, String.raw`\$&`);
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 1.6rem; border-bottom: 1px solid #8888; }
li { overflow-wrap: anywhere; }
@media print { body { margin: 0; } }
`;

/** One page without a script and without a request. The policy of its content allows its own style alone. */
function page(heading: string, sections: readonly Section[]): string {
  const hash = Buffer.from(sha256(STYLE), "hex").toString("base64");
  const body = sections.map(({ heading: name, rows }) => {
    const items = rows.map((row) => `<li>${htmlText(row.trim())}</li>`).join("\n");
    return `<h2>${htmlText(name)}</h2>\n<ul>\n${items}\n</ul>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${htmlText(heading)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${htmlText(heading)}</h1>
${body.join("\n")}
</body>
</html>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function htmlText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
