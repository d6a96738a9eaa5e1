/** A link of a Markdown text, with the number of its line. */
export interface MarkdownLink {
  readonly target: string;
  readonly line: number;
}

const FENCE = /^\s*(?:```|~~~)/;
const LINK = /!?\[(?:[^[\]]|\[[^\]]*\])*\]\(([^()\s]+(?:\([^()\s]*\))?)(?:\s+"[^"]*")?\)/g;
const HEADING = /^#{1,6}\s+(.*?)\s*#*\s*$/;

/** The lines of a Markdown text. Lines of fenced code blocks become empty. */
export function proseLines(text: string): readonly string[] {
  let isCode = false;
  return text.split("\n").map((line) => {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence ? "" : line;
  });
}

/** Every link of a Markdown text outside of code. A label may go on in the next line. */
export function linksIn(text: string): readonly MarkdownLink[] {
  const prose = proseLines(text)
    .join("\n")
    .replace(/`[^`\n]*`/g, (code) => "x".repeat(code.length));
  return [...prose.matchAll(LINK)].map(({ index, 1: target = "" }) => ({
    target,
    line: prose.slice(0, index).split("\n").length,
  }));
}

/**
 * The anchors that GitHub and VitePress give the headings: lower case, without punctuation, blanks as hyphens, and a
 * number behind a repeated one.
 */
export function anchorsIn(text: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const anchors = new Set<string>();
  for (const line of proseLines(text)) {
    const [, title] = HEADING.exec(line) ?? [];
    if (title === undefined) continue;
    const plain = title.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
    const slug = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-");
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}
