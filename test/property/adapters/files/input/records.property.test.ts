import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readRecords } from "../../../../../src/adapters/files/input/records.ts";

const inside = "a carriage return inside the line: end every line with LF, or with CR LF";
const text = fc.string({ unit: fc.constantFrom('"', "\r", ",", ";", "a", "#", " ", "{"), maxLength: 12 });

test.each([
  ["a.csv", "address,chain\n", 1],
  ["a.ndjson", "{}\n", 0],
  ["a.txt", "x\n", 0],
] as const)("%s: every non-blank line is in exactly one record, whatever it holds", async (name, head, headers) => {
  const folder = await mkdtemp(path.join(tmpdir(), "weir-test-"));
  const file = path.join(folder, name);
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (lines) => {
        await writeFile(file, head + lines.map((line) => `${line}\n`).join(""));

        const records = await Array.fromAsync(
          readRecords({ path: file, defaults: defaultsOf(name), isFinished: true }),
        );

        const isComment = (line: string) => name === "a.txt" && /^\s*#[^\r]*\r?\s*$/.test(line);
        const isTold = (line: string) => line.trim() !== "" && !isComment(line);
        const expected = lines.flatMap((line, i) => (isTold(line) ? [[i + 2, line.replace(/\r$/, "")]] : []));
        for (const { bytes, event } of records) {
          if (bytes.toString().trim().includes("\r")) expect(event).toMatchObject({ ok: false, detail: inside });
        }
        // A row of CSV may hold several lines, in a quoted cell.
        const told = records.flatMap(({ source, bytes }) => {
          const own = bytes.toString().split("\n");
          return own.flatMap((line, i) => (isTold(line) ? [[source.line + i, line]] : []));
        });
        expect(told).toEqual(headers === 1 ? expected : [[1, head.trimEnd()], ...expected]);
      }),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

function defaultsOf(name: string) {
  return name === "a.txt" ? { chain: "1", users: [] } : { users: [] };
}
