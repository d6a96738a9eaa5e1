import { expect, test } from "vitest";
import { rowDay } from "../../../../src/labels/import/row-day.ts";

test.each([
  ["2026-11-20", "2026-11-20"],
  [" 2026-11-20T08:00:00 ", "2026-11-20"],
  ["", ""],
  [undefined, ""],
  [null, ""],
])("%j names the day %j", (cell, day) => {
  expect(rowDay(cell)).toEqual({ ok: true, value: day });
});

test.each(["20.11.2026", "9999-99-99", "2026-02-30", "11/20/2026", "soon"])("%j is no day", (cell) => {
  expect(rowDay(cell)).toEqual({ ok: false, detail: "date: must be a day such as 2026-01-31" });
});
