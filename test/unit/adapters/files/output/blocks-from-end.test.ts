import { appendFile, writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { blocksFromEnd } from "../../../../../src/adapters/files/output/blocks-from-end.ts";
import { linesNewestFirst } from "../../../../../src/archive/reading/newest-first.ts";
import { emptyFolder } from "../../../../support/folder.ts";
import { propertyRuns } from "../../../../support/property-runs.ts";

test("blocks of any size give the whole lines of the file, last line first", async () => {
  const file = path.join(await emptyFolder(), "log");
  const line = fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replaceAll("\n", " "));
  await fc.assert(
    fc.asyncProperty(fc.array(line), line, fc.integer({ min: 1, max: 64 }), async (lines, unfinished, blockBytes) => {
      const text = lines.map((each) => `${each}\n`).join("");
      await writeFile(file, text + unfinished);
      const read: string[] = [];
      for await (const block of blocksFromEnd(file, blockBytes)) read.push(...[...linesNewestFirst(block)].map(String));
      const whole = Buffer.from(text).toString().split("\n");
      expect(read).toEqual(whole.filter((each) => each !== "").toReversed());
    }),
    propertyRuns(200),
  );
});

test("lines that are appended during the read are left out", async () => {
  const file = path.join(await emptyFolder(), "log");
  await writeFile(file, "a\nb\nc\n");
  const read: string[] = [];
  for await (const block of blocksFromEnd(file, 2)) {
    if (read.length === 0) await appendFile(file, "d\n");
    read.push(...[...linesNewestFirst(block)].map(String));
  }
  expect(read).toEqual(["c", "b", "a"]);
});
