import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

/** The width of the terminal decides the ends of lines. A line that the source also breaks would be broken twice. */
test("a line of a command's help ends in the source only where a new item begins", async () => {
  const folder = "src/cli/program";
  const files = ["src/cli/main.ts", ...(await readdir(folder)).map((name) => `${folder}/${name}`)];
  const source = (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
  const breaks = [...source.matchAll(/\\n"\s*\+\s*"([A-Za-z]+ [a-z]+)/g)].map(([, begins]) => begins);

  expect([...new Set(breaks)].sort()).toEqual(["Exit status", "TIME is"]);
});
