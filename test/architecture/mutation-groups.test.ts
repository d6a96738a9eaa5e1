import { globSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { groups, leftOut } from "../../tools/mutate/groups.ts";

const files = globSync("src/worker/**/*.ts").map((file) => file.split(path.sep).join("/"));

test("the scan sees the worker", () => {
  expect(files.length).toBeGreaterThan(100);
});

test.each(files)("%s is mutated in one group, or left out for a reason", (file) => {
  const holding = groups.filter((group) => path.matchesGlob(file, group.files)).map(({ name }) => name);

  expect([...holding, ...(leftOut[file] === undefined ? [] : ["left out"])]).toHaveLength(1);
});

test("every file that is left out, or run for a mutant, exists", () => {
  const tests = groups.flatMap((group) => group.tests.flat());

  expect([...Object.keys(leftOut), ...tests].filter((each) => globSync(each).length === 0)).toEqual([]);
});
