import { expect, test } from "vitest";
import type { Lane } from "../../../../../src/messages/lane.ts";
import { ConnectionReserve } from "../../../../../src/worker/rate-limit/queue/connection-reserve.ts";

/** A reserve just after a realtime event, with this many requests of each lane in flight. */
function roomOf(concurrency: number, { realtime = 0, backfill = 0 } = {}): ConnectionReserve {
  const room = new ConnectionReserve(concurrency);
  room.sent("realtime", 0);
  room.ended("realtime");
  for (let i = 0; i < realtime; i++) room.sent("realtime", 0);
  for (let i = 0; i < backfill; i++) room.sent("backfill", 0);
  return room;
}

test("an eighth of the connections is reserved, rounded down, and none of fewer than eight", () => {
  const keptOf = (concurrency: number) => concurrency - roomOf(concurrency).backfillsLeft(0);

  expect([1, 7, 8, 15, 16, 32, 100].map(keptOf)).toEqual([0, 0, 1, 1, 2, 4, 12]);
  expect(roomOf(Number.POSITIVE_INFINITY, { backfill: 1 }).backfillsLeft(0)).toBe(Number.POSITIVE_INFINITY);
});

test("the reserve is kept in addition to the connections in use by either lane", () => {
  const room = roomOf(32, { realtime: 5, backfill: 20 });
  expect(room.backfillsLeft(0)).toBe(3);
  for (let i = 0; i < 3; i++) room.sent("backfill", 0);
  expect(room.backfillsLeft(0)).toBe(0);
  room.ended("realtime");
  expect(room.backfillsLeft(0)).toBe(1);
  room.ended("backfill");
  expect(room.backfillsLeft(0)).toBe(2);
});

test("a tenth of the connections is for backfill, rounded up, whatever realtime events hold", () => {
  const shareOf = (concurrency: number) => roomOf(concurrency, { realtime: concurrency }).backfillsLeft(0);

  expect([1, 10, 11, 32].map(shareOf)).toEqual([1, 1, 2, 4]);
  expect([3, 4, 5].map((backfill) => roomOf(32, { realtime: 28, backfill }).backfillsLeft(0))).toEqual([1, 0, 0]);
});

test("the reserve is kept until ten minutes after the last realtime event, and not before the first", () => {
  const room = new ConnectionReserve(8);
  room.sent("backfill", 0);
  expect(room.backfillsLeft(0)).toBe(Number.POSITIVE_INFINITY);
  room.sent("realtime", 1_000);
  room.sent("realtime", 5_000);
  expect(room.backfillsLeft(605_000)).toBe(4);
  expect(room.backfillsLeft(605_001)).toBe(Number.POSITIVE_INFINITY);
});

test.each([
  ["nobody is kept waiting", { backfill: 0 }, 7, 2, 7],
  ["more wait than may leave", { backfill: 4 }, 7, 2, 3],
  ["deposits alone may leave", { backfill: 7 }, 7, 2, 2],
  ["more deposits wait than the backfill might use", { backfill: 6 }, 7, 2, 2],
  ["all that wait are deposits", { backfill: 6 }, 2, 2, 2],
  ["nobody may leave", { backfill: 7 }, 7, 0, 0],
  ["a company waits in both lanes", { backfill: 4 }, 2, 3, 2],
])("permits are requested for all requests that can use one: %s", (_, out, size, realtime, slots) => {
  const waits = (lane: Lane) => (lane === "realtime" ? realtime : size);

  expect(roomOf(8, out).slotsFor({ size, waits }, 0)).toBe(slots);
});
