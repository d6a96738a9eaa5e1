import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonRows } from "../../../../../src/adapters/files/labels/json-rows.ts";
import { columnNamed, refuseMisread } from "../../../../../src/adapters/files/labels/label-columns.ts";
import { CsvRows, type RowReader } from "../../../../../src/adapters/files/labels/label-rows.ts";

function rowsOf(reader: RowReader, pieces: readonly string[]) {
  return [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.end()];
}

/** `text` cut at arbitrary positions. */
function cut(text: string): fc.Arbitrary<readonly string[]> {
  return fc.array(fc.nat(text.length)).map((places) => {
    const ends = [...places.sort((a, b) => a - b), text.length];
    return ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end));
  });
}

const csv = ["# who", "chain,address,name,kind", "1,a,b,c", "", '1,"a,b",c,d', "1,a", "1,x,y,z"];
const json = '[ {"a": "x,]\\"[{", "b": [1, {"c": []}]}\n, 7, [], {"d": "\\\\"} ]\n';

describe("a file that arrives in pieces", () => {
  test.each(["\n", "\r\n", "\r"])("gives equal rows of CSV for any pieces, with lines that end in %j", (end) => {
    const text = csv.join(end);
    const whole = rowsOf(new CsvRows(), [text]);

    expect(whole.map(({ line }) => line)).toEqual([3, 5, 6, 7]);
    fc.assert(
      fc.property(cut(text), (pieces) => {
        expect(rowsOf(new CsvRows(), pieces)).toEqual(whole);
      }),
    );
  });

  test("gives equal rows of JSON for any pieces", () => {
    const whole = rowsOf(new JsonRows(), [json]);

    expect(whole).toEqual([
      { line: 1, row: { a: 'x,]"[{', b: [1, { c: [] }] } },
      { line: 2, unreadable: "row: must be an object" },
      { line: 3, unreadable: "row: must be an object" },
      { line: 4, row: { d: "\\" } },
    ]);
    fc.assert(
      fc.property(cut(json), (pieces) => {
        expect(rowsOf(new JsonRows(), pieces)).toEqual(whole);
      }),
    );
  });
});

test.each([";", "\t"])("rows may be separated by %j, as spreadsheets of many countries write them", (delimiter) => {
  const lines = [
    ["chain", "address", "name", "kind"],
    ["evm", "0x1", "A, B", '"c"'],
    ["evm", "0x2"],
  ];
  const text = lines.map((cells) => cells.join(delimiter)).join("\n");

  expect(rowsOf(new CsvRows(), [text])).toEqual([
    { line: 2, row: expect.objectContaining({ chain: "evm", address: "0x1", name: "A, B", kind: "c" }) },
    { line: 3, unreadable: "row: 2 cells where the header has 4; quote cells with commas" },
  ]);
});

/** A key that is neither a column nor probably meant as a column: `chIN` would be refused. */
const unreadKey = fc.string().filter((key) => {
  try {
    refuseMisread([key], () => "the key");
    return columnNamed(key) === undefined;
  } catch {
    return false;
  }
});

describe("JSON", () => {
  test("refuses a key that probably means a column", () => {
    expect(() => rowsOf(new JsonRows(), ['[{"chIN": []}]'])).toThrow('the key "chIN" of row 1 is not read');
  });

  test("reads any array of objects as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(unreadKey, fc.jsonValue())), (values) => {
        const text = JSON.stringify(values);
        const rows = rowsOf(new JsonRows(), [text]).map((each) => ("row" in each ? each.row : each.unreadable));
        expect(rows).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    ["nothing", "", "must be an array of objects, one a label"],
    ["an object", '{"a": 1}', "must be an array of objects, one a label"],
    ["an array that is cut off", '[{"a": 1},', "it ends within the array"],
    ["an object that is cut off", '[{"a": 1', "it ends within the array"],
    ["text behind the array", "[] 1", "something follows the array"],
  ])("is refused as a whole: %s", (_what, text, message) => {
    expect(() => rowsOf(new JsonRows(), [text])).toThrow(message);
  });

  test.each(["[{},]", "[,{}]", "[{} {}]", "[{]}]", "[{'a': 1}]"])("%s is refused as by JSON.parse", (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(() => rowsOf(new JsonRows(), [text])).toThrow();
  });

  test("an empty array has no rows", () => {
    expect(rowsOf(new JsonRows(), [" [ ] "])).toEqual([]);
  });
});
