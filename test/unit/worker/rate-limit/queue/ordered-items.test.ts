import { expect, test } from "vitest";
import { OrderedItems } from "../../../../../src/worker/rate-limit/queue/ordered-items.ts";

function placed(places: Record<string, number>): OrderedItems<string> {
  const items = new OrderedItems<string>();
  for (const [item, place] of Object.entries(places)) items.add(item, place);
  return items;
}

test("items are visited in order of position, whatever the order of arrival", () => {
  const items = placed({ b: 2, d: 4, c: 3, a: 1 });

  expect([items.size, items.first, [...items.items()]]).toEqual([4, ["a", 1], ["a", "b", "c", "d"]]);
  items.add("e", 4.5);
  items.add("f", 2.5);
  expect([...items.items()]).toEqual(["a", "b", "f", "c", "d", "e"]);
});

test("items with the same position are visited in order of arrival", () => {
  expect([...placed({ b: 1, a: 1, c: 0 }).items()]).toEqual(["c", "b", "a"]);
});

test("an item that leaves before it is visited is skipped", () => {
  const items = placed({ b: 2, a: 1, c: 3 });
  const met = items.items();
  expect(met.next().value).toBe("a");

  expect([items.delete("b"), items.delete("b"), items.has("b"), items.has("c")]).toEqual([true, false, false, true]);
  expect([met.next().value, met.next().done, items.size]).toEqual(["c", true, 2]);
});

test("an empty list has no first item", () => {
  expect(placed({}).first).toBeUndefined();
});
