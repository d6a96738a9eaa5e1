/** Documents are short sentences that name things and can be understood by themselves. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { longIn, meanWords, passagesIn, personSentencesIn, pronounsIn } from "../support/document-prose.ts";

const LONGEST = 35;
const HIGHEST_MEAN = 18;

/**
 * Pages of rules and measurements, and the decisions behind them, which are written beside the rules. They follow once
 * the rules have settled.
 */
const LATER = new Set([
  ...["tron-transactions", "solana-transactions", "evm-transactions", "quality"].map((name) => `docs/${name}.md`),
  ...["0009-tron", "0010-solana", "0012-known-addresses"].map((name) => `docs/decisions/${name}.md`),
]);
/** Decisions hold reasons and figures: their sentences may be longer on average. */
const DECISION = /^docs\/decisions\//;

const documents = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .filter((file) =>
    /^(?:README|ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY)\.md$|^docs\/(?:decisions\/)?[\w-]+\.md$/.test(file),
  )
  .filter((file) => !LATER.has(file));
/** Its cells are descriptions of settings, which have a test of their own. */
const PRINTED = "docs/configuration.md";
const passages = new Map(
  documents.map((file) => [
    file,
    passagesIn(readFileSync(file, "utf8")).filter(({ isCell }) => !isCell || file !== PRINTED),
  ]),
);

describe("the check", () => {
  const long = `Words ${"and words ".repeat(20)}end.`;

  test("a sentence, a list item and a cell are judged by themselves", () => {
    const text = `# It is a title\n\nOne. Two is here:\nthree.\n\n- ${long}\n- Four.\n\n| a | b |\n| --- | --- |\n| It is | c |\n\n\`\`\`\nIt is code\n\`\`\`\n`;
    const found = passagesIn(text);

    expect(found.map(({ sentences }) => sentences.length)).toEqual([2, 1, 1, 1, 1, 1, 1]);
    expect(longIn(found, LONGEST)).toEqual([`6: ${long}`]);
    expect(pronounsIn(found)).toEqual(["11: It is"]);
  });

  test.each([
    ["It waits.", true],
    ["- They wait.", true],
    ["**This is** a fault.", true],
    ["This page says so. It is short.", false],
    ["These values count.", false],
    ["`code` counts. They count.", false],
  ])("%j begins with a pronoun: %s", (text, isFound) => {
    expect(pronounsIn(passagesIn(text)).length > 0).toBe(isFound);
  });

  test("words for persons are found, and code counts as one word", () => {
    const found = passagesIn("Whoever reads `a b c d` wins. Nothing else.");

    expect(personSentencesIn(found)).toEqual(["1: Whoever reads CODE wins."]);
    expect(meanWords(found)).toBe(3);
  });
});

test("the scan sees the documents", () => {
  expect(documents.length).toBeGreaterThan(35);
  expect([...passages.values()].flat().length).toBeGreaterThan(1_500);
});

test.each(documents)("%s has short sentences without persons, that begin with their subject", (file) => {
  const own = passages.get(file) ?? [];

  expect(longIn(own, LONGEST)).toEqual([]);
  expect(personSentencesIn(own)).toEqual([]);
  expect(pronounsIn(own)).toEqual([]);
  if (!DECISION.test(file)) expect(meanWords(own)).toBeLessThan(HIGHEST_MEAN);
});
