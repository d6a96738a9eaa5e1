import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

/** The terminal's width decides where a line ends: one that the source ends as well is broken twice. */
test("a line of a command's help ends by itself only where something new begins", async () => {
  const source = await readFile("src/cli/main.ts", "utf8");
  const breaks = [...source.matchAll(/\\n"\s*\+\s*"([A-Za-z]+ [a-z]+)/g)].map(([, begins]) => begins);

  expect([...new Set(breaks)].sort()).toEqual(["Exit status", "TIME is"]);
});
