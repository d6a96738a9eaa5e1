import { expect, test } from "vitest";
import { Refusals } from "../../../../../../src/worker/rate-limit/gate/refusals/refusals.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

test("a request that is refused eight times, with answers to others in between, is itself at fault", () => {
  const refusals = new Refusals();

  expect(numbers(8).map((i) => refusals.add({ answers: 5 + i, keys: 0 }))).toEqual([...Array(7).fill(false), true]);
});

test("refusals before the first answer count, too", () => {
  const refusals = new Refusals();

  expect(numbers(8).map((i) => refusals.add({ answers: i, keys: 0 }))).toEqual([...Array(7).fill(false), true]);
});

test("a request that is refused like all others is refused because of the key", () => {
  const refusals = new Refusals();

  expect(numbers(20).map(() => refusals.add({ answers: 0, keys: 0 }))).toEqual(Array(20).fill(false));
  expect(numbers(20).map(() => refusals.add({ answers: 4, keys: 0 }))).toEqual(Array(20).fill(false));
});

test("a key that was replaced in between says nothing about the next one", () => {
  const refusals = new Refusals();
  for (const i of numbers(7)) refusals.add({ answers: 1 + i, keys: 0 });

  expect(numbers(8).map((i) => refusals.add({ answers: 10 + i, keys: 1 }))).toEqual([...Array(7).fill(false), true]);
});
