import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { commentsIn, longSentencesIn, personsIn, sourcesIn, testTitlesIn, wordCount } from "../support/prose.ts";

const files = globSync("src/**/*.ts").filter((file) => !/\.generated\.ts$|\.d\.ts$/.test(file));
const textOf = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
const testFiles = globSync("test/**/*.ts").filter((file) => !file.includes(".generated."));

/** Words that mean nothing by themselves. A reader has to guess the meaning of a name with such a word. */
const EMPTY_WORDS = new Set([
  ...[
    "place",
    "places",
    "placed",
    "told",
    "heard",
    "said",
    "asked",
    "unasked",
    "seen",
    "unseen",
    "found",
    "held",
    "owed",
  ],
  ...["known", "shown", "nobody", "nobodys", "somebody", "whoever", "company", "companion", "companions", "within"],
  ...["together", "so"],
]);
/** Names of other programs, or of the service's interface, which Weir does not choose. */
const GIVEN_NAMES = new Set(["MAX_KNOWN_ADDRESSES"]);

const PERSONS_PER_THOUSAND = 2;
const LONGEST_SENTENCE = 30;

test("the scan sees the tree", () => {
  expect(files.length).toBeGreaterThan(500);
  expect(testFiles.length).toBeGreaterThan(500);
});

test("the name of an exported type is declared in one file", () => {
  const declared = new Map<string, string[]>();
  for (const [file, text] of textOf) {
    const names = text.matchAll(/^export (?:declare )?(?:abstract )?(?:interface|class|type) (\w+)/gm);
    for (const name of new Set([...names].map(([, name = ""]) => name)))
      declared.set(name, [...(declared.get(name) ?? []), file]);
  }

  expect([...declared].filter(([, places]) => places.length > 1)).toEqual([]);
});

test("no name of a file or an export holds a word that means nothing by itself", () => {
  const empty = (name: string) => wordsOf(name).some((word) => EMPTY_WORDS.has(word));
  const exported = (text: string) =>
    [
      ...text.matchAll(
        /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|class|interface|type|const|let) (\w+)/gm,
      ),
    ]
      .map(([, name = ""]) => name)
      .filter((name) => !GIVEN_NAMES.has(name));

  const names = [...textOf].flatMap(([file, text]) =>
    [path.basename(file, ".ts"), ...exported(text)].map((name) => ({ file, name })),
  );

  expect(names.filter(({ name }) => empty(name))).toEqual([]);
});

describe("prose", () => {
  const comments = [...textOf].map(([file, text]) => ({ file, comments: commentsIn(text) }));

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

  test("every named source is in the tree, or has a public title", () => {
    const named = comments.flatMap(({ file, comments: own }) =>
      own.flatMap(sourcesIn).map((source) => ({ file, source })),
    );

    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ source }) => !resolves(source))).toEqual([]);
  });
});

function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z\d]+/g) ?? []).map((word) => word.toLowerCase());
}

/** A path has to exist. Documents outside the tree, and words that point at another comment, are no sources. */
function resolves(source: string): boolean {
  if (/^(?:design|service-interface|library-traps|detection|engines|infra|K\d+|the same|its )/.test(source))
    return false;
  const [, file] = /^`?((?:[\w-]+\/)+[\w.-]+\.(?:ts|mjs|md|json|sol|csv))/.exec(source) ?? [];
  const isOurs = file !== undefined && /^(?:src|docs|test|bench|data|contracts|tools|scripts)\//.test(file);
  return !isOurs || existsSync(file);
}
