import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { SortedLines } from "../../../../../src/adapters/files/output/sorted-lines.ts";
import { emptyFolder } from "../../../../support/folder.ts";

async function textsOf(lines: SortedLines): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const text of lines.read()) texts.push(text);
  return texts;
}

test("few lines are sorted by their keys without a file", async () => {
  const folder = await emptyFolder();
  const lines = new SortedLines(folder);
  for (const key of ["b", "c", "a"]) await lines.add(key, `text\tof ${key}`);

  expect(await textsOf(lines)).toEqual(["text\tof a", "text\tof b", "text\tof c"]);
  expect(readdirSync(folder)).toEqual([]);
});

test("lines beyond the bound are sorted over several files, and the files are removed", async () => {
  const folder = await emptyFolder();
  const lines = new SortedLines(folder, 200);
  const keys = Array.from({ length: 300 }, (_, i) => String((i * 7919) % 1_000).padStart(4, "0"));
  for (const key of keys) await lines.add(key, `é${key}`);

  const [own = ""] = readdirSync(folder);
  expect(readdirSync(`${folder}/${own}`).length).toBeGreaterThan(5);
  expect(await textsOf(lines)).toEqual(keys.toSorted().map((key) => `é${key}`));
  await lines.close();
  expect(existsSync(`${folder}/${own}`)).toBe(false);
});
