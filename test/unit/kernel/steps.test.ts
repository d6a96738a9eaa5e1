import { expect, test } from "vitest";
import { atOnce, type Steps, withPauses } from "../../../src/kernel/steps.ts";

function* counting(said: string[]): Steps<number> {
  said.push("one");
  yield;
  said.push("two");
  yield;
  return 3;
}

test("steps done at once give their value", () => {
  const said: string[] = [];
  expect(atOnce(counting(said))).toBe(3);
  expect(said).toEqual(["one", "two"]);
});

test("others have a turn after each step but the last", async () => {
  const said: string[] = [];
  const value = await withPauses(counting(said), async () => said.push("others"));
  expect(value).toBe(3);
  expect(said).toEqual(["one", "others", "two", "others"]);
});
