import { expect, test } from "vitest";
import { iterateFrom, PullIterable } from "../../../src/kernel/collections.ts";

test("pulled values come in order, until there is none", () => {
  const left = [1, 2, 3];
  const pulled = new PullIterable(() => left.shift());

  expect([...pulled]).toEqual([1, 2, 3]);
  expect(pulled.next()).toEqual({ done: true, value: undefined });
});

test("no value is pulled before it is requested", () => {
  let pulls = 0;
  for (const each of new PullIterable(() => ++pulls)) if (each === 2) break;

  expect(pulls).toBe(2);
});

test("items with an undefined result are skipped", () => {
  expect([...iterateFrom([1, 2, 3, 4], (item) => (item % 2 === 0 ? `${item}` : undefined))]).toEqual(["2", "4"]);
  expect([...iterateFrom([], () => 1)]).toEqual([]);
});

test("an error while making a value ends the iteration", () => {
  const made = iterateFrom([1, 2], (item) => {
    if (item === 2) throw new Error("two");
    return item;
  });

  expect(() => [...made]).toThrow("two");
});
