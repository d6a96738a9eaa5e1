import fc from "fast-check";
import { expect, test } from "vitest";
import { Heap } from "../../../src/kernel/collections.ts";

const ascending = (a: number, b: number) => a < b;

function drain(heap: Heap<number>): number[] {
  const all: number[] = [];
  for (let item = heap.pop(); item !== undefined; item = heap.pop()) all.push(item);
  return all;
}

test("items leave in order, whatever order they came in", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 })), (items) => {
      const heap = new Heap(ascending);
      for (const item of items) heap.push(item);

      expect(drain(heap)).toEqual(items.toSorted((a, b) => a - b));
      expect(heap.pop()).toBeUndefined();
    }),
  );
});

test("items that are pushed in between leave in order too", () => {
  const heap = new Heap(ascending);
  for (const item of [5, 1, 3]) heap.push(item);

  expect([heap.pop(), heap.pop()]).toEqual([1, 3]);
  for (const item of [4, 2, 9]) heap.push(item);
  expect(drain(heap)).toEqual([2, 4, 5, 9]);
});
