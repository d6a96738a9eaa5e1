import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { Line } from "../../../../src/adapters/files/input/lines.ts";
import { LastRows } from "../../../../src/cli/screen/last-rows.ts";
import { verdictAt } from "../../../fakes/verdicts.ts";
import { emptyFolder } from "../../../support/folder.ts";

const lineOf = (number: number, text: string, isEnded = true) => {
  const bytes = Buffer.from(text);
  return new Line(number, bytes, 0, bytes.length, isEnded);
};
const fileIn = async () => path.join(await emptyFolder(), "last-rows.json");

/** The last rows as the next run reads them, after a run that ended with these lines. */
async function after(...last: readonly Line[]) {
  const file = await fileIn();
  const rows = await LastRows.open(file);
  for (const line of last) expect(rows.take(line, "csv")).toBe(true);
  return { file, next: await LastRows.open(file) };
}

test("a last line that has grown is replaced, and its verdict does not count again", async () => {
  const { file, next } = await after(lineOf(6, "1,0xa"), lineOf(7, "1,0xb", false));
  expect([next.hold(verdictAt(6)), next.hold(verdictAt(7))]).toEqual([false, true]);

  next.take(lineOf(6, "1,0xa"), "csv");
  next.take(lineOf(7, "1,0xbc"), "csv");

  expect([next.replace(6), next.replace(7), next.isReplaced(verdictAt(7))]).toEqual([[], [7], true]);
  expect((await LastRows.open(file)).isReplaced(verdictAt(7))).toBe(true);
});

test("lines of an open cell belong to one row once it is closed", async () => {
  const { next } = await after(lineOf(3, 'a,"one', false), lineOf(4, "", false), lineOf(5, "two", false));
  for (const line of [3, 4, 5]) expect(next.hold(verdictAt(line))).toBe(true);

  next.take(lineOf(3, 'a,"one\n\ntwo\nthree"'), "csv");

  expect(next.replace(3)).toEqual([3, 4, 5, 6]);
  expect([3, 4, 5].map((line) => next.isReplaced(verdictAt(line)))).toEqual([true, true, true]);
});

test("a line that is what it was stands, and one that differs has not grown", async () => {
  const { next } = await after(lineOf(2, "1,0xb", false));
  next.hold(verdictAt(2));

  next.take(lineOf(2, "1,0xb"), "csv");
  expect([next.replace(2), next.stands(2), next.stands(3)]).toEqual([[], verdictAt(2), undefined]);
  next.take(lineOf(2, "1,0xc,more"), "csv");
  expect(next.replace(2)).toEqual([]);
});

test.each([
  ['{"type":"addr', false],
  ["12", false],
  ['"a', false],
  ['{"type":"address"}', true],
  ["[1]", true],
  [" ", true],
])("of NDJSON a last line without its end waits unless it is whole: %s", async (text, isWhole) => {
  const rows = await LastRows.open(await fileIn());

  expect(rows.take(lineOf(4, text, false), "ndjson")).toBe(isWhole);
  expect(rows.waiting).toBe(isWhole ? undefined : 4);
  expect(rows.take(lineOf(4, text), "ndjson")).toBe(true);
});

test("a row that grows run by run is replaced each time", async () => {
  const { file, next } = await after(lineOf(2, "1", false));
  next.hold(verdictAt(2));
  next.take(lineOf(2, "1,0", false), "csv");
  expect(next.replace(2)).toEqual([2]);

  const third = await LastRows.open(file);
  third.take(lineOf(2, "1,0xb"), "csv");
  expect([third.replace(2), third.isReplaced(verdictAt(2))]).toEqual([[2], true]);
});

test("a file that is not what was written is refused", async () => {
  const file = await fileIn();
  for (const text of ["{", '{"schema":"weir.last-rows/2"}']) {
    await writeFile(file, text);
    await expect(LastRows.open(file)).rejects.toThrow(/last-rows\.json: it is not what was written there/);
  }
});

test("of a cell that stays open for thousands of lines the first 256 are kept", async () => {
  const lines = Array.from({ length: 3_000 }, (_, i) => lineOf(i + 1, '"x', false));
  const { next } = await after(...lines);

  expect([1, 256, 257].map((line) => next.hold(verdictAt(line)))).toEqual([true, true, false]);
});
