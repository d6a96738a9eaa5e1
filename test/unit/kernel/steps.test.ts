import { expect, test } from "vitest";
import { atOnce, eachInSteps, ITEMS_A_STEP, type Steps, withPauses } from "../../../src/kernel/async.ts";

function* counting(said: string[]): Steps<number> {
  said.push("one");
  yield;
  said.push("two");
  yield;
  return 3;
}

test("steps that run at once give their value", () => {
  const said: string[] = [];
  expect(atOnce(counting(said))).toBe(3);
  expect(said).toEqual(["one", "two"]);
});

test("other work can run after each step but the last", async () => {
  const said: string[] = [];
  const value = await withPauses(counting(said), async () => said.push("others"));
  expect(value).toBe(3);
  expect(said).toEqual(["one", "others", "two", "others"]);
});

test("a long list is processed in order, with a pause after a fixed number of items", async () => {
  const items = Array.from({ length: 2 * ITEMS_A_STEP + 1 }, (_, i) => i);
  const seen: number[] = [];
  let turns = 0;
  await withPauses(
    eachInSteps(items, (item, at) => seen.push(item - at)),
    async () => turns++,
  );

  expect([seen.length, Math.max(...new Set(seen)), turns]).toEqual([items.length, 0, 2]);
});
