import { expect, test } from "vitest";
import { ImportTally } from "../../../../src/labels/import/import-tally.ts";
import type { ListEntry } from "../../../../src/labels/import/list-entry.ts";

const evm = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";
const row = { chain: "evm", address: evm, name: "A", kind: "sanctioned" };

function tallied(entries: readonly ListEntry[]): ImportTally {
  const tally = new ImportTally();
  for (const entry of entries) tally.take(entry);
  return tally;
}

test("a label is returned once, and rows without a label are counted by reason", () => {
  const tally = new ImportTally();

  expect(tally.take({ line: 1, row })).toMatchObject({ label: { kind: "sanctioned", everywhere: true }, date: "" });
  expect(tally.take({ line: 2, row: { ...row, chain: "56" } })).toBeUndefined();
  expect(tally.take({ line: 3, unscreened: "XMR" })).toBeUndefined();
  expect(tally.take({ line: 4, unreadable: "row: bad" })).toBeUndefined();
  expect(tally).toMatchObject({ rows: 4, labels: 1, givenTwice: 1, unscreened: 1, refused: 1 });
});

test("a label keeps the day of its row, and a row with an invalid day is refused", () => {
  const tally = new ImportTally();

  expect(tally.take({ line: 1, row: { ...row, date: "2026-11-20" } })?.date).toBe("2026-11-20");
  expect(tally.take({ line: 2, row: { ...row, kind: "blocked", date: "soon" } })).toBeUndefined();
  expect(tally.reasons).toEqual([{ detail: "date: must be a day such as 2026-01-31", count: 1, lines: [2] }]);
});

test("in a file with a reason for each row, the reasons are bounded and the count is exact", () => {
  const tally = tallied(Array.from({ length: 200 }, (_, i) => ({ line: i + 1, unreadable: `row: ${i}` })));

  expect([tally.refused, tally.reasons.length, tally.refusedOtherwise]).toEqual([200, 50, 150]);
});

test("in a file with a currency for each row, the currencies are bounded and the count is exact", () => {
  const tally = tallied(Array.from({ length: 200 }, (_, i) => ({ line: i + 1, unscreened: `C${i}` })));

  expect([tally.unscreened, tally.byUnscreened.size, tally.byUnscreened.get("others")]).toEqual([200, 101, 100]);
});
