import { writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readRecords } from "../../../../../src/adapters/files/input/records.ts";
import type { Unfinished } from "../../../../../src/adapters/files/input/unfinished.ts";
import { emptyFolder } from "../../../../support/folder.ts";
import { propertyRuns } from "../../../../support/property-runs.ts";

const line = fc.string({ unit: fc.constantFrom('"', "\r", ",", "a", "#", " ", "é"), maxLength: 6 });
const json = fc.constantFrom(
  '{"a":1}',
  '{"type":"address","chain_id":"1","address":"x"}',
  '{"a":',
  "[1]",
  "7",
  " ",
  '"a"',
);

async function read(file: string, isFinished: boolean) {
  const waiting: Unfinished[] = [];
  const defaults = { users: [], ...(file.endsWith(".ndjson") ? {} : { chain: "1" }) };
  const options = { path: file, defaults, isFinished, onUnfinished: (lines: Unfinished) => waiting.push(lines) };
  const found: (readonly [number, string, string])[] = [];
  for await (const { source, bytes, event } of readRecords(options))
    found.push([source.line, bytes.toString(), JSON.stringify(event)]);
  return { found, waiting };
}

/** Whether a line makes a record, by its text alone. */
function counts(name: string, text: string): boolean {
  const comment = name === "a.txt" && /^\s*#[^\r]*\r?\s*$/.test(text);
  return text.trim() !== "" && !comment;
}

test.each([
  ["a.csv", "address,b\n", line],
  ["a.txt", "x\n", line],
  ["a.ndjson", "{}\n", json],
] as const)(
  "%s: at each size the records are the first of the whole file, and the remaining lines are reported",
  { timeout: 3_600_000 },
  async (name, head, each) => {
    const file = path.join(await emptyFolder(), name);
    const texts = fc.tuple(fc.array(each, { maxLength: 5 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(texts, async ([lines, hasEnd]) => {
        const whole = Buffer.from(head + lines.join("\n") + (hasEnd ? "\n" : ""));
        await writeFile(file, whole);
        const all = await read(file, true);
        expect(all.waiting).toEqual([]);

        for (let size = 0; size <= whole.length; size++) {
          await writeFile(file, whole.subarray(0, size));
          const { found, waiting } = await read(file, false);

          expect(found).toEqual(all.found.slice(0, found.length));
          const begun = whole.subarray(0, size).toString().split("\n");
          const covered = new Set(found.flatMap(([number, text]) => text.split("\n").map((_, i) => number + i)));
          for (const { from, to } of waiting) for (let at = from; at <= to; at++) covered.add(at);
          const header = name === "a.csv" && size >= head.length ? [1] : [];
          const missing = begun.flatMap((text, i) => (counts(name, text) && !covered.has(i + 1) ? [i + 1] : []));
          expect(missing).toEqual(header);
          expect(waiting.length).toBeLessThanOrEqual(1);
        }
      }),
      propertyRuns(40),
    );
  },
);

test("in a finished file every line behind an unclosed quote is read", async () => {
  const file = path.join(await emptyFolder(), "a.csv");
  await writeFile(file, 'address,b\nx,"y\nz,w\nv,u');

  expect((await read(file, false)).waiting).toEqual([{ from: 2, to: 4, isQuoted: true }]);
  expect((await read(file, true)).found.map(([number, text]) => [number, text])).toEqual([
    [2, 'x,"y'],
    [3, "z,w"],
    [4, "v,u"],
  ]);
});
