import { describe, expect, test } from "vitest";
import { Assignments } from "../../../../src/worker/offsets/assignments.ts";
import { OverdueRoom, overdueLoadOf } from "../../../../src/worker/offsets/overdue-room.ts";

const bounds = { events: 400, span: 1_000, bytes: 10_000 };
const DEADLINE_MS = 30_000;
const HOUR_MS = 3_600_000;

/** Room at a time that the test sets, of a partition that fell behind at 0, an hour ago. */
function room() {
  const state = { now: 0 };
  const all = new OverdueRoom({ ticks: () => state.now }, DEADLINE_MS);
  const behind = all.behind(undefined, HOUR_MS);
  const isFull = (own: number, load: { events?: number; bytes?: number; partitions?: number } = {}, isHeldUp = false) =>
    all.isFull(
      { behind, isHeldUp, ledger: { overdue: own } },
      { events: own, bytes: 0, partitions: 1, ...load },
      bounds,
    );
  const settle = (count: number) => {
    for (let i = 0; i < count; i++) all.settled();
  };
  return { state, all, isFull, settle };
}

describe("overdue events have room", () => {
  test("for fifty, where none was settled lately", () => {
    const { isFull } = room();
    expect([49, 50].map((own) => isFull(own))).toEqual([false, true]);
  });

  test("for as many as were settled in a third of the deadline", () => {
    const { state, isFull, settle } = room();
    settle(120);
    expect([119, 120].map((own) => isFull(own))).toEqual([false, true]);

    state.now = 9_999;
    expect(isFull(119)).toBe(false);
    state.now = 10_000;
    expect(isFull(119)).toBe(true);
  });

  test("for half of the lane at most, by events and by bytes", () => {
    const { isFull, settle } = room();
    settle(1_000);

    expect([199, 200].map((own) => isFull(own))).toEqual([false, true]);
    expect([4_999, 5_000].map((bytes) => isFull(1, { bytes }))).toEqual([false, true]);
  });

  test("for as many as are settled in half a second, where that is more than half, and for the lane at most", () => {
    const { isFull, settle } = room();
    settle(6_000);
    expect([299, 300].map((own) => isFull(own))).toEqual([false, true]);

    settle(6_000);
    expect([399, 400].map((own) => isFull(own))).toEqual([false, true]);
  });

  test("in equal shares of the partitions that have some", () => {
    const { isFull, settle } = room();
    settle(100);

    expect([24, 25].map((own) => isFull(own, { partitions: 4 }))).toEqual([false, true]);
    expect(isFull(0, { events: 100, partitions: 4 })).toBe(true);
    expect(isFull(0, { events: 0, partitions: 0 })).toBe(false);
  });

  test("again from three quarters on", () => {
    const { isFull, settle } = room();
    settle(100);

    expect([76, 75].map((own) => isFull(own, {}, true))).toEqual([true, false]);
  });

  test("for half of the lane at any rate, once the partition was behind for as long as its events are old", () => {
    const { state, isFull } = room();
    state.now = HOUR_MS - 1;
    expect(isFull(50)).toBe(true);

    state.now = HOUR_MS;
    expect([199, 200].map((own) => isFull(own))).toEqual([false, true]);
  });
});

test("a partition of which the next event can be on time waits for nothing", () => {
  const { all } = room();
  const held = { behind: undefined, isHeldUp: true, ledger: { overdue: 1_000 } };

  expect(all.isFull(held, { events: 1_000, bytes: 10_000, partitions: 1 }, bounds)).toBe(false);
});

test("a partition is behind from its first overdue event on, until one comes that can be on time", () => {
  const { state, all } = room();
  const first = all.behind(undefined, 40_000);
  state.now = 5_000;

  expect(all.behind(first, 35_000)).toEqual({ since: 0, ageMs: 40_000 });
  expect(all.behind(first, undefined)).toBeUndefined();
  expect(all.behind(undefined, 35_000)).toEqual({ since: 5_000, ageMs: 35_000 });
});

test("what a lane holds of overdue events is counted over its partitions, lost ones too", () => {
  const tenures = new Assignments();
  const partitions = [0, 1, 2].map((partition) => ({ topic: "live", partition }));
  for (const at of partitions) tenures.assign({ ...at, lane: "realtime", epoch: 1, firstOffset: 0 });
  tenures.assign({ topic: "bulk", partition: 0, lane: "backfill", epoch: 1, firstOffset: 0 });
  for (const at of [...partitions, { topic: "bulk", partition: 0 }]) {
    tenures.ownedAt(at)?.ledger.admit(0, 100, true);
    tenures.ownedAt(at)?.ledger.admit(1, 10, false);
  }
  const behind = { since: 0, ageMs: 40_000 };
  const [first, second] = partitions.flatMap((at) => tenures.ownedAt(at) ?? []);
  if (first !== undefined) first.behind = behind;
  if (second !== undefined) second.behind = behind;
  second?.ledger.settle(0);
  tenures.revoke({ topic: "live", partition: 2 });

  expect(overdueLoadOf("realtime", tenures.owned(), tenures.lost())).toEqual({ events: 2, bytes: 200, partitions: 1 });
  if (second !== undefined) second.isHeldUp = true;
  expect(overdueLoadOf("realtime", tenures.owned(), tenures.lost()).partitions).toBe(2);
});
