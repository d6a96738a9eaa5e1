import { expect, test } from "vitest";
import { fitted } from "../../../../src/cli/terminal/fitted-line.ts";

test.each([
  [60, "5/10 events · 3/s · 7 requests · 2 s left"],
  [40, "5/10 events · 3/s · 2 s left"],
  [25, "5/10 events · 2 s left"],
  [10, "5/10 even…"],
  [1, "…"],
])("in %i columns the beginning and the end stay", (columns, text) => {
  expect(fitted("5/10 events · 3/s · 7 requests · 2 s left", columns)).toBe(text);
});
