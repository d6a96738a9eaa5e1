import path from "node:path";

/** Pages of the repository's root, by their name on the site. Every other document keeps its path below docs/. */
const ROOT_PAGES: Readonly<Record<string, string>> = {
  "README.md": "index.md",
  "ARCHITECTURE.md": "architecture.md",
  "CHANGELOG.md": "changelog.md",
  "CONTRIBUTING.md": "contributing.md",
  "SECURITY.md": "security.md",
};

/** Code blocks, which a split keeps as parts of their own. */
const FENCED = /(^```[\s\S]*?^```$)/m;
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;

/** The place of a document or picture on the site. Undefined for files that are no part of it. */
export function siteFile(file: string): string | undefined {
  if (file in ROOT_PAGES) return ROOT_PAGES[file];
  if (file === "bench/results/README.md") return "results/index.md";
  if (file === "bench/results/proof.md") return "results/proof.md";
  if (/^docs\/schemas\/[\w-]+\.schema\.json$/.test(file))
    return file.replace(/^docs\//, "").replace(/\.schema\.json$/, ".md");
  if (file === "openapi.json") return "api.md";
  if (file === "docs/decisions") return "decisions/0001-open-points.md";
  return /^docs\/.*\.(?:md|svg)$/.test(file) ? file.slice("docs/".length) : undefined;
}

/**
 * A document with the links of the site. A link to a file that is no part of the site becomes its text, because the
 * site does not know an address of the repository. Comments are left out: the site shows no HTML of documents.
 */
export function siteText(file: string, text: string): string {
  const own = siteFile(file) ?? file;
  return text
    .replace(/<!--[\s\S]*?-->\n?/g, "")
    .split(FENCED)
    .map((part) =>
      part.startsWith("```")
        ? part
        : part.replace(LINK, (_all, mark, label, target) => siteLink(file, own, { mark, label, target })),
    )
    .join("");
}

interface Link {
  /** `!` in front of a picture. */
  readonly mark: string;
  readonly label: string;
  readonly target: string;
}

function siteLink(file: string, own: string, { mark, label, target }: Link): string {
  if (/^[a-z]+:/i.test(target) || target.startsWith("#")) return `${mark}[${label}](${target})`;
  const [at = "", anchor] = target.split("#");
  const linked = siteFile(path.posix.join(path.posix.dirname(file), at));
  if (linked === undefined) return label;
  const relative = path.posix.relative(path.posix.dirname(own), linked);
  return `${mark}[${label}](./${relative}${anchor === undefined ? "" : `#${anchor}`})`;
}
