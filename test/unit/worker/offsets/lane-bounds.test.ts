import { expect, test } from "vitest";
import { defaultBounds, isFull } from "../../../../src/worker/offsets/lane-bounds.ts";

test("the default limits of one process", () => {
  expect(defaultBounds).toEqual({
    realtime: { events: 2_000, span: 1_000, bytes: 67_108_864 },
    backfill: { events: 20_000, span: 10_000, bytes: 268_435_456 },
  });
});

test.each([
  [false, 99, false],
  [false, 100, true],
  [true, 99, true],
  [true, 76, true],
  [true, 75, false],
  [true, 0, false],
])("full before: %s, %i of 100 used: full is %s", (wasFull, used, expected) => {
  expect(isFull(wasFull, used, 100)).toBe(expected);
});

test("one full quantity fills a lane, and all must fall before there is room", () => {
  const isFullByAny = (wasFull: boolean, a: number, b: number) => isFull(wasFull, a, 10) || isFull(wasFull, b, 1_000);

  expect(isFullByAny(false, 0, 1_000)).toBe(true);
  expect(isFullByAny(true, 8, 0)).toBe(true);
  expect(isFullByAny(true, 7, 750)).toBe(false);
});

test("a limit of one is full with one event and has room with none", () => {
  expect(isFull(false, 1, 1)).toBe(true);
  expect(isFull(true, 0, 1)).toBe(false);
});
