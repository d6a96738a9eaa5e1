import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const files = globSync("src/**/*.ts").filter((file) => !/\.generated\.ts$|\.d\.ts$/.test(file));
const textOf = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));

/** Words that mean nothing by themselves. A name that holds one is to be guessed. */
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
/** Names of other programs, or of the interface of the service, which Weir does not choose. */
const GIVEN_NAMES = new Set(["MAX_KNOWN_ADDRESSES"]);

test("the scan sees the tree", () => {
  expect(files.length).toBeGreaterThan(500);
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

function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z\d]+/g) ?? []).map((word) => word.toLowerCase());
}
