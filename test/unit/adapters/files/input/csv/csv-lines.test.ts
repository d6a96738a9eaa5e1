import fc from "fast-check";
import { expect, test } from "vitest";
import { csvRow } from "../../../../../../src/adapters/files/input/csv/csv-cells.ts";
import { CsvLines, endingOf } from "../../../../../../src/adapters/files/input/csv/csv-lines.ts";
import { Line } from "../../../../../../src/adapters/files/input/lines.ts";

const COLUMNS = 3;
const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", ";", "é") });
const row = fc.array(cell, { minLength: COLUMNS, maxLength: COLUMNS });

/** The text of a row by RFC 4180: a cell that needs quotes has quotes, and so have some other cells. */
const written = (cells: readonly string[]) =>
  cells.map((each) => (/[",\n]|^$/.test(each) ? `"${each.replaceAll('"', '""')}"` : each)).join(",");

function rowsOf(text: string) {
  const isRow = (each: string) => {
    const read = csvRow(each, ",");
    return read.ok && read.value.length === COLUMNS;
  };
  const lines = new CsvLines(",", isRow);
  const left = text.split("\n").map((each, i) => new Line(i + 1, Buffer.from(each)));
  const found: Line[] = [];
  for (let next = lines.next(() => left.shift()); next !== undefined; next = lines.next(() => left.shift()))
    found.push(next);
  return [...found, ...lines.open];
}

test("rows with line breaks in their cells are returned unchanged, each with the number of its first line", () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), (rows) => {
      const found = rowsOf(rows.map(written).join("\n"));

      expect(found.map(({ bytes }) => csvRow(bytes.toString("utf8"), ","))).toEqual(
        rows.map((value) => ({ ok: true, value })),
      );
      let number = 1;
      for (const [i, value] of rows.entries()) {
        expect(found[i]?.number).toBe(number);
        number += written(value).split("\n").length;
      }
    }),
  );
});

test("for any text, no line is lost or returned twice", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", '"', ",", "\n") }), (text) => {
      const found = rowsOf(text).map(({ bytes }) => bytes.toString("utf8"));

      expect(found.join("\n")).toBe(text);
    }),
  );
});

test.each([
  ["a,b", false, "closed"],
  ['a,"b', false, "open"],
  ['a,"b""', false, "open"],
  ['a,"b"', false, "closed"],
  ['a,b"c', false, "bad"],
  ['"a"b', false, "bad"],
  ["a,b", true, "open"],
  ['a",b', true, "closed"],
  ['a"b', true, "bad"],
  ["", false, "closed"],
  ["", true, "open"],
] as const)("%j, begun in a cell: %j, is %s", (text, isOpen, ending) => {
  expect(endingOf(text, ",", isOpen)).toBe(ending);
});
