import { expect, test } from "vitest";
import { InFlightOffsets } from "../../../../src/worker/offsets/in-flight.ts";
import { heapUsed } from "../../../support/heap-used.ts";

test.each([3, 16, 17, 5_000])("%s at a time pass through in order, wherever the ring begins", (count) => {
  const delivered = new InFlightOffsets();
  let [pushed, shifted] = [0, 0];
  const push = () => delivered.push(3 * pushed, pushed++);
  for (let i = 0; i < count; i++) push();
  for (let i = 0; i < 4 * count; i++) {
    push();
    expect([delivered.offsetAt(0), delivered.sizeAt(0)]).toEqual([3 * shifted, shifted]);
    delivered.shift();
    shifted++;
  }

  expect(delivered.length).toBe(count);
  expect([delivered.offsetAt(count - 1), delivered.sizeAt(count - 1)]).toEqual([3 * (pushed - 1), pushed - 1]);
});

test("the remaining offsets survive when the ring shrinks", () => {
  const delivered = new InFlightOffsets();
  for (let i = 0; i < 20_000; i++) delivered.push(i, 1);
  delivered.setSize(19_999, 7);
  for (let i = 0; i < 19_990; i++) delivered.shift();

  expect(Array.from({ length: delivered.length }, (_, at) => delivered.offsetAt(at))).toEqual(
    Array.from({ length: 10 }, (_, i) => 19_990 + i),
  );
  expect(delivered.sizeAt(9)).toBe(7);
});

test("unused memory is released", async () => {
  const delivered = new InFlightOffsets();
  for (let i = 0; i < 1_000_000; i++) delivered.push(i, 1);
  const full = await heapUsed();
  for (let i = 0; i < 999_990; i++) delivered.shift();
  const left = await heapUsed();

  // Two rings of 2^20 numbers, of eight bytes each.
  expect(full - left).toBeGreaterThan(15 * 2 ** 20);
  expect(delivered.length).toBe(10);
});

test("an index beyond either end has no offset", () => {
  const delivered = new InFlightOffsets();
  delivered.push(5, 1);
  delivered.push(6, 2);
  delivered.shift();

  expect([delivered.offsetAt(1), delivered.sizeAt(1)]).toEqual([Number.NaN, undefined]);
  expect(delivered.offsetAt(-1)).toBeNaN();
});
