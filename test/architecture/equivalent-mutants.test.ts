import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { equivalent } from "../../tools/mutate/equivalent.ts";

test("each file of an equivalent mutant is there", () => {
  expect(equivalent.length).toBeGreaterThan(20);
  expect(equivalent.map(({ file }) => file).filter((file) => !existsSync(file))).toEqual([]);
});
