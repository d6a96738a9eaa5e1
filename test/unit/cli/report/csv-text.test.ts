import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { csvLine } from "../../../../src/cli/report/csv-text.ts";

test("each cell survives a reader of CSV", () => {
  const cells = ["plain", 'a "quoted" one', "a;b,c", "two\nlines", "", "é"];

  expect(parse(csvLine(cells))).toEqual([cells]);
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", '"=1', "\u0000=1", "＝1", "\ttext"])(
  "%j becomes no formula",
  (text) => {
    expect(parse(csvLine([text]))).toEqual([[`'${text}`]]);
  },
);

test("a separator of another country cannot begin a cell with a formula", () => {
  expect(csvLine(["a;=cmd()"])).toBe('"a;=cmd()"\r\n');
});
