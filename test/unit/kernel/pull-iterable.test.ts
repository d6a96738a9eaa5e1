import { expect, test } from "vitest";
import { iterateFrom, PullIterable } from "../../../src/kernel/pull-iterable.ts";

test("what is pulled comes in its order, until nothing does", () => {
  const left = [1, 2, 3];
  const pulled = new PullIterable(() => left.shift());

  expect([...pulled]).toEqual([1, 2, 3]);
  expect(pulled.next()).toEqual({ done: true, value: undefined });
});

test("nothing is pulled before it is asked for", () => {
  let pulls = 0;
  for (const each of new PullIterable(() => ++pulls)) if (each === 2) break;

  expect(pulls).toBe(2);
});

test("of some items nothing is made", () => {
  expect([...iterateFrom([1, 2, 3, 4], (item) => (item % 2 === 0 ? `${item}` : undefined))]).toEqual(["2", "4"]);
  expect([...iterateFrom([], () => 1)]).toEqual([]);
});

test("what making throws ends the iteration", () => {
  const made = iterateFrom([1, 2], (item) => {
    if (item === 2) throw new Error("two");
    return item;
  });

  expect(() => [...made]).toThrow("two");
});
