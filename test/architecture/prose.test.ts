import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commentsIn, longSentencesIn, personsIn, sourcesIn, testTitlesIn, wordCount } from "../support/prose.ts";

const files = globSync("src/**/*.ts").filter((file) => !/\.generated\.ts$|\.d\.ts$/.test(file));
const testFiles = globSync("test/**/*.ts").filter((file) => !file.includes(".generated."));

const PERSONS_PER_THOUSAND = 2;
const LONGEST_SENTENCE = 30;

const comments = files.map((file) => ({ file, comments: commentsIn(readFileSync(file, "utf8")) }));

test.each([
  ["comments of src", comments.flatMap((each) => each.comments)],
  ["comments of test", testFiles.flatMap((file) => commentsIn(readFileSync(file, "utf8")))],
  ["names of tests", testFiles.flatMap((file) => testTitlesIn(readFileSync(file, "utf8")))],
])("%s have at most two words for people in a thousand", (_what, texts) => {
  const persons = texts.flatMap(personsIn).length;
  const words = texts.reduce((sum, text) => sum + wordCount(text), 0);

  expect(words).toBeGreaterThan(10_000);
  expect((1_000 * persons) / words).toBeLessThanOrEqual(PERSONS_PER_THOUSAND);
});

test("no sentence of a comment has more than thirty words", () => {
  const long = comments.flatMap(({ file, comments: own }) =>
    own.flatMap((comment) => longSentencesIn(comment, LONGEST_SENTENCE)).map((sentence) => ({ file, sentence })),
  );

  expect(long).toEqual([]);
});

test("what a comment names as its source is in the tree, or has a public title", () => {
  const named = comments.flatMap(({ file, comments: own }) =>
    own.flatMap(sourcesIn).map((source) => ({ file, source })),
  );

  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ source }) => !resolves(source))).toEqual([]);
});

/** A path has to exist. Documents that are not in the tree, and words that point at another comment, are no sources. */
function resolves(source: string): boolean {
  if (/^(?:design|service-interface|library-traps|detection|engines|infra|K\d+|the same|its )/.test(source))
    return false;
  const [, file] = /^`?((?:[\w-]+\/)+[\w.-]+\.(?:ts|mjs|md|json|sol|csv))/.exec(source) ?? [];
  const isOurs = file !== undefined && /^(?:src|docs|test|bench|data|contracts|tools|scripts)\//.test(file);
  return !isOurs || existsSync(file);
}
