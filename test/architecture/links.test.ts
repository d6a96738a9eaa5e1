/** Every relative link of every Markdown file leads to a file of the repository, and its anchor to a heading there. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { anchorsIn, linksIn } from "../support/markdown.ts";

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .filter((file) => existsSync(file));

/** Why a link is dead. Undefined when it leads somewhere, or out of the repository. */
function faultOf(file: string, text: string, target: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const [at = "", anchor] = target.split("#");
  const linked = at === "" ? file : path.join(path.dirname(file), decodeURIComponent(at));
  if (linked.startsWith("..") || path.isAbsolute(linked)) return "leads out of the repository";
  if (linked !== file && !existsSync(linked)) return "no such file";
  if (anchor === undefined) return undefined;
  if (!linked.endsWith(".md")) return "an anchor in a file that is no Markdown";
  const linkedText = linked === file ? text : readFileSync(linked, "utf8");
  return anchorsIn(linkedText).has(decodeURIComponent(anchor)) ? undefined : "no such heading";
}

describe("the check", () => {
  const text =
    "# A title\n\n## A `code` title, twice\n\n## A `code` title, twice\n\n```\n# no title\n[no](link.md)\n```\n";

  test.each([
    ["#a-title", undefined],
    ["#a-code-title-twice", undefined],
    ["#a-code-title-twice-1", undefined],
    ["#no-title", "no such heading"],
    ["README.md", undefined],
    ["README.md#no-such-heading", "no such heading"],
    ["no-such-file.md", "no such file"],
    ["../outside.md", "leads out of the repository"],
    ["package.json#L1", "an anchor in a file that is no Markdown"],
    ["https://example.com/no-such-page", undefined],
  ])("the fault of %s is %s", (target, fault) => {
    expect(faultOf("CHECKED.md", text, target)).toBe(fault);
  });

  test("links in code are no links", () => {
    expect(linksIn(`${text}[a](b.md), ![c](d.svg "e") and \`[f](g.md)\`\n`).map(({ target }) => target)).toEqual([
      "b.md",
      "d.svg",
    ]);
  });
});

test("the scan sees the documents and their links", () => {
  expect(files.length).toBeGreaterThan(40);
  expect(files.flatMap((file) => linksIn(readFileSync(file, "utf8"))).length).toBeGreaterThan(120);
});

test("no relative link is dead", () => {
  const dead = files.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return linksIn(text).flatMap(({ target, line }) => {
      const fault = faultOf(file, text, target);
      return fault === undefined ? [] : [`${file}:${line} ${target}: ${fault}`];
    });
  });

  expect(dead).toEqual([]);
});
