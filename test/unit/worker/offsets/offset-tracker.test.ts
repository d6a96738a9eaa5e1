import { describe, expect, test } from "vitest";
import type { LaneBounds } from "../../../../src/worker/offsets/lane-bounds.ts";
import { OffsetTracker } from "../../../../src/worker/offsets/offset-tracker.ts";
import { OverdueRoom } from "../../../../src/worker/offsets/overdue-room.ts";

const realtime = { events: 10, span: 8, bytes: 1_000 };
const backfill = { events: 100, span: 50, bytes: 10_000 };
const [live, other, bulk] = [
  { topic: "events", partition: 0 },
  { topic: "events", partition: 1 },
  { topic: "events-backfill", partition: 0 },
];

/** An offset tracker that owns `live`, `other` and `bulk` from offset 0 on, in epoch 1, all resumed. */
function started(bounds: Partial<LaneBounds> = {}): OffsetTracker {
  const intake = new OffsetTracker({ realtime: { ...realtime, ...bounds }, backfill });
  join(intake, 1);
  intake.changes();
  return intake;
}

function join(intake: OffsetTracker, epoch: number, firstOffset = 0): void {
  intake.assign({ ...live, lane: "realtime", epoch, firstOffset });
  intake.assign({ ...other, lane: "realtime", epoch, firstOffset });
  intake.assign({ ...bulk, lane: "backfill", epoch, firstOffset });
}

/** Admits offsets `from` to `to - 1`, of ten bytes each unless said otherwise. */
function deliver(
  intake: OffsetTracker,
  at: typeof live,
  from: number,
  to: number,
  { epoch = 1, bytes = 10 } = {},
): string[] {
  return Array.from({ length: to - from }, (_, i) => intake.admit({ ...at, epoch, offset: from + i, bytes }));
}

function settle(intake: OffsetTracker, at: typeof live, from: number, to: number, epoch = 1): boolean[] {
  return Array.from({ length: to - from }, (_, i) => intake.settle({ ...at, epoch, offset: from + i }));
}

const nothing = { pause: [], resume: [] };

test("a partition is not committed in a new generation before it is assigned again, whatever completes", () => {
  const intake = started();
  deliver(intake, live, 0, 2);
  settle(intake, live, 0, 1);
  intake.begin(2);

  expect(intake.commits()).toEqual([]);
  expect(settle(intake, live, 1, 2)).toEqual([true]);
  expect(intake.commits()).toEqual([]);
  intake.assign({ ...live, lane: "realtime", epoch: 2, firstOffset: 0 });
  expect(intake.commits()).toEqual([{ ...live, offset: 2 }]);
  expect(() => intake.begin(2)).toThrow("epoch 2 is past");
});

test("the heads are the watermarks of the partitions that have work, with the epoch of their assignment", () => {
  const intake = started();
  deliver(intake, live, 0, 3);
  deliver(intake, bulk, 0, 2);
  settle(intake, live, 0, 1);
  settle(intake, bulk, 0, 2);
  join(intake, 2);

  expect([...intake.heads()]).toEqual([{ ...live, lane: "realtime", since: 1, offset: 1 }]);
});

test("the first epoch may be any number, even 0", () => {
  const intake = new OffsetTracker({ realtime, backfill });
  join(intake, 0);
  deliver(intake, live, 0, 1, { epoch: 0 });

  expect(settle(intake, live, 0, 1, 0)).toEqual([true]);
  expect(intake.commits()).toEqual([{ ...live, offset: 1 }]);
});

test("no lane is full at the start, even between three quarters and its limit", () => {
  const intake = new OffsetTracker({ realtime, backfill });
  join(intake, 1);
  deliver(intake, live, 0, 4);
  deliver(intake, other, 0, 4);
  deliver(intake, bulk, 0, 40, { bytes: 200 });

  expect(intake.changes()).toEqual({ pause: [], resume: [live, other, bulk] });
});

describe("pausing", () => {
  test("a lane at its event limit pauses all its partitions and no other lane, and resumes at three quarters", () => {
    const intake = started();
    deliver(intake, live, 0, 5);
    deliver(intake, other, 0, 4);
    expect(intake.changes()).toEqual(nothing);

    deliver(intake, live, 5, 6);
    expect(intake.load("realtime")).toEqual({ events: 10, bytes: 100 });
    expect(intake.changes()).toEqual({ pause: [live, other], resume: [] });

    settle(intake, live, 0, 2);
    expect(intake.changes()).toEqual(nothing);

    settle(intake, live, 2, 3);
    expect(intake.changes()).toEqual({ pause: [], resume: [live, other] });
    expect(intake.changes()).toEqual(nothing);
  });

  test("a lane at its byte limit pauses and resumes, too", () => {
    const intake = started();
    deliver(intake, live, 0, 2, { bytes: 500 });
    expect(intake.changes()).toEqual({ pause: [live, other], resume: [] });

    settle(intake, live, 1, 2);
    expect(intake.changes()).toEqual({ pause: [], resume: [live, other] });
  });

  test("a span beyond its limit pauses only its partition", () => {
    const intake = started();
    deliver(intake, live, 0, 8);
    settle(intake, live, 1, 8);
    expect(intake.changes()).toEqual({ pause: [live], resume: [] });

    settle(intake, live, 0, 1);
    expect(intake.changes()).toEqual({ pause: [], resume: [live] });
  });

  test("a lane with room again leaves a partition paused if its span is beyond its limit", () => {
    const intake = started();
    deliver(intake, live, 0, 10);
    expect(intake.changes().pause).toEqual([live, other]);

    settle(intake, live, 2, 10);
    expect(intake.changes()).toEqual({ pause: [], resume: [other] });
  });

  test("a partition that is gained while its lane is full is paused before its first record", () => {
    const intake = new OffsetTracker({ realtime, backfill });
    intake.assign({ ...live, lane: "realtime", epoch: 1, firstOffset: 0 });
    deliver(intake, live, 0, 10);
    intake.changes();

    join(intake, 2);
    expect(intake.changes()).toEqual({ pause: [live, other], resume: [bulk] });
  });

  test("every partition is reported once after a join, since the consumer may have kept or dropped its pause", () => {
    const intake = started();
    deliver(intake, live, 0, 8);
    settle(intake, live, 1, 8);
    intake.changes();

    join(intake, 2);
    expect(intake.changes()).toEqual({ pause: [live], resume: [other, bulk] });
    expect(intake.changes()).toEqual(nothing);
  });
});

describe("a join", () => {
  test("that keeps a partition keeps its work: redelivered records are in flight, and complete in their old epoch", () => {
    const intake = started();
    deliver(intake, live, 0, 3);
    settle(intake, live, 1, 2);

    join(intake, 2);
    expect(deliver(intake, live, 0, 4, { epoch: 2 })).toEqual(["in-flight", "settled", "in-flight", "new"]);
    expect(settle(intake, live, 0, 1, 1)).toEqual([true]);
    expect(intake.commits()).toEqual([{ ...live, offset: 2 }]);
  });

  test("that takes a partition away leaves its work only its room in the lane", () => {
    const intake = started();
    deliver(intake, live, 0, 10);
    intake.changes();
    intake.revoke(live);
    expect(intake.load("realtime").events).toBe(10);

    expect(settle(intake, live, 0, 5)).toEqual([false, false, false, false, false]);
    expect(intake.commits()).toEqual([]);
    expect(intake.changes()).toEqual({ pause: [], resume: [other] });
  });

  test("that takes a partition away gives its records to another process, even if it comes back", () => {
    const intake = started();
    deliver(intake, live, 0, 1);
    const record = { ...live, offset: 0, epoch: 1 };
    expect(intake.isOurs(record)).toBe(true);
    join(intake, 2);
    expect(intake.isOurs(record)).toBe(true);
    intake.revoke(live);
    expect(intake.isOurs(record)).toBe(false);

    intake.assign({ ...live, lane: "realtime", epoch: 3, firstOffset: 0 });
    expect(intake.isOurs(record)).toBe(false);
    deliver(intake, live, 0, 1, { epoch: 3 });
    expect(intake.isOurs({ ...record, epoch: 3 })).toBe(true);
  });

  test("that takes away a partition with a deleted log leaves its work here, and commits it nowhere", () => {
    const intake = started();
    deliver(intake, live, 0, 2);
    const record = { ...live, offset: 0, epoch: 1 };
    intake.revoke(live, true);
    expect(intake.isOurs(record)).toBe(true);

    intake.assign({ ...live, lane: "realtime", epoch: 2, firstOffset: 0 });
    deliver(intake, live, 0, 2, { epoch: 2 });
    expect(intake.isOurs(record)).toBe(true);
    expect(intake.settle(record)).toBe(false);
    expect(intake.commits()).toEqual([]);
    expect(intake.load("realtime").events).toBe(3);
  });

  test("that moved partitions away returns their work once their log is known to be deleted", () => {
    const intake = started();
    deliver(intake, live, 0, 1);
    const record = { ...live, offset: 0, epoch: 1 };
    intake.revoke(live);
    expect(intake.isOurs(record)).toBe(false);
    intake.revoke(live, true);
    expect(intake.isOurs(record)).toBe(true);
  });

  test("a partition is crowded beyond half its span, by itself, and while it is owned", () => {
    const intake = started();
    deliver(intake, live, 0, 4);
    expect([live, other].map((at) => intake.isCrowded(at))).toEqual([false, false]);
    deliver(intake, live, 4, 5);
    expect([live, other].map((at) => intake.isCrowded(at))).toEqual([true, false]);
    settle(intake, live, 0, 1);
    expect(intake.isCrowded(live)).toBe(false);
    deliver(intake, live, 5, 6);
    intake.revoke(live);
    expect(intake.isCrowded(live)).toBe(false);
  });

  test("that gives a partition back does not let old work move the new watermark", () => {
    const intake = started();
    deliver(intake, live, 0, 3);
    intake.revoke(live);

    intake.assign({ ...live, lane: "realtime", epoch: 2, firstOffset: 0 });
    expect(deliver(intake, live, 0, 3, { epoch: 2 })).toEqual(["new", "new", "new"]);
    expect(intake.load("realtime").events).toBe(6);

    expect(settle(intake, live, 0, 3, 1)).toEqual([false, false, false]);
    expect(intake.commits()).toEqual([]);
    expect(intake.load("realtime").events).toBe(3);

    expect(settle(intake, live, 0, 3, 2)).toEqual([true, true, true]);
    expect(intake.commits()).toEqual([{ ...live, offset: 3 }]);
  });

  test("with a commit beyond the watermark starts a new assignment, since another member had the partition", () => {
    const intake = started();
    deliver(intake, live, 0, 5);

    join(intake, 2, 3);
    expect(settle(intake, live, 0, 5)).toEqual([false, false, false, false, false]);
    expect(intake.commits()).toEqual([]);
    expect(deliver(intake, live, 2, 5, { epoch: 2 })).toEqual(["settled", "new", "new"]);
  });

  test("that redelivers committed records starts a new assignment, since the commit went back or the log changed", () => {
    const intake = started();
    deliver(intake, live, 0, 5);
    settle(intake, live, 0, 4);
    intake.confirmed({ ...live, offset: 3 });

    join(intake, 2, 2);
    expect(intake.commits()).toEqual([]);
    expect(deliver(intake, live, 2, 5, { epoch: 2 })).toEqual(["new", "new", "new"]);
    expect(settle(intake, live, 4, 5, 1)).toEqual([false]);
    expect(settle(intake, live, 2, 5, 2)).toEqual([true, true, true]);
    expect(intake.commits()).toEqual([{ ...live, offset: 5 }]);
  });

  test("makes records of earlier deliveries lost", () => {
    const intake = started();
    join(intake, 2);

    expect(deliver(intake, live, 0, 1, { epoch: 1 })).toEqual(["lost"]);
    intake.revoke(live);
    expect(deliver(intake, live, 0, 1, { epoch: 2 })).toEqual(["lost"]);
    expect(intake.load("realtime")).toEqual({ events: 0, bytes: 0 });
  });

  test("cannot have a past epoch, nor assign a partition twice while old work could be taken for new", () => {
    const intake = started();
    const again = { ...live, lane: "realtime", firstOffset: 0 } as const;
    expect(() => intake.assign({ ...again, epoch: 1 })).toThrow("events/0 is assigned again in epoch 1");

    join(intake, 3);
    expect(() => intake.assign({ ...again, epoch: 2 })).toThrow("events/0 is assigned again in epoch 2");

    deliver(intake, live, 0, 1, { epoch: 3 });
    intake.revoke(live);
    expect(() => intake.assign({ ...again, epoch: 3 })).toThrow("events/0 is assigned again in epoch 3");
  });

  test("may assign a released partition again once its work is done", () => {
    const intake = started();
    const again = { ...live, lane: "realtime", epoch: 1, firstOffset: 0 } as const;
    intake.revoke(live);
    intake.assign(again);

    deliver(intake, live, 0, 1);
    intake.revoke(live);
    settle(intake, live, 0, 1);
    intake.assign(again);
    expect(deliver(intake, live, 0, 1)).toEqual(["new"]);
  });

  test("may move a topic to the other lane, which starts a new assignment", () => {
    const intake = started();
    deliver(intake, live, 0, 2);

    intake.assign({ ...live, lane: "backfill", epoch: 2, firstOffset: 0 });
    expect(deliver(intake, live, 0, 1, { epoch: 2 })).toEqual(["new"]);
    expect([intake.load("realtime").events, intake.load("backfill").events]).toEqual([2, 1]);
  });

  test("ignores the release of a partition that is not owned", () => {
    const intake = started();
    intake.revoke({ topic: "events", partition: 9 });

    expect(settle(intake, { topic: "events", partition: 9 }, 0, 1)).toEqual([false]);
  });
});

describe("committing", () => {
  test("a watermark is offered until it is confirmed", () => {
    const intake = started();
    deliver(intake, live, 0, 3);
    settle(intake, live, 0, 2);
    expect(intake.commits()).toEqual([{ ...live, offset: 2 }]);
    expect(intake.commits()).toEqual([{ ...live, offset: 2 }]);

    settle(intake, live, 2, 3);
    intake.confirmed({ ...live, offset: 2 });
    expect(intake.commits()).toEqual([{ ...live, offset: 3 }]);

    intake.confirmed({ ...live, offset: 3 });
    intake.confirmed({ ...live, offset: 2 });
    expect(intake.commits()).toEqual([]);
  });

  test("offsets completed beyond the watermark are offered with it, and alone, until they are confirmed", () => {
    const intake = started();
    deliver(intake, live, 0, 4);
    settle(intake, live, 1, 3);
    const ahead = [{ ...live, offset: 0, metadata: "s1:Aw" }];
    expect(intake.commits()).toEqual(ahead);
    expect(intake.commits()).toEqual(ahead);
    intake.confirmed({ ...live, offset: 0 });
    expect(intake.commits()).toEqual([]);

    settle(intake, live, 0, 1);
    expect(intake.commits()).toEqual([{ ...live, offset: 3 }]);
    intake.confirmed({ ...live, offset: 3 });
    expect(intake.commits()).toEqual([]);
  });

  test("offsets that complete after an offer are offered again, even if that offer is confirmed", () => {
    const intake = started();
    deliver(intake, live, 0, 4);
    settle(intake, live, 1, 2);
    intake.commits();
    settle(intake, live, 2, 3);
    intake.confirmed({ ...live, offset: 0 });
    expect(intake.commits()).toEqual([{ ...live, offset: 0, metadata: "s1:Aw" }]);
  });

  test("a partition does not process offsets that are completed beyond its commit", () => {
    const intake = new OffsetTracker({ realtime, backfill });
    intake.assign({ ...live, lane: "realtime", epoch: 1, firstOffset: 0, settled: [1, 2] });
    expect(deliver(intake, live, 0, 4)).toEqual(["new", "settled", "settled", "new"]);
    expect(intake.load("realtime").events).toBe(2);
  });

  test("a commit that was not confirmed is offered again after a join", () => {
    const intake = started();
    deliver(intake, live, 0, 3);
    settle(intake, live, 0, 3);
    expect(intake.commits()).toEqual([{ ...live, offset: 3 }]);

    join(intake, 2, 0);
    expect(intake.commits()).toEqual([{ ...live, offset: 3 }]);
  });

  test("a partition that is not assigned in the current epoch is not committed", () => {
    const intake = started();
    deliver(intake, live, 0, 1);
    settle(intake, live, 0, 1);

    intake.assign({ ...other, lane: "realtime", epoch: 2, firstOffset: 0 });
    expect(intake.commits()).toEqual([]);
  });

  test("a late confirmation confirms nothing", () => {
    const intake = started();
    deliver(intake, live, 0, 2);
    settle(intake, live, 0, 1);
    intake.confirmed({ ...live, offset: 2 });
    intake.confirmed({ topic: "events", partition: 9, offset: 1 });

    expect(intake.commits()).toEqual([{ ...live, offset: 1 }]);
  });
});

describe("overdue records", () => {
  const OLD_MS = 3_600_000;

  /** An intake of 200 events in which overdue ones have room for 50 at first; 10 of these are in flight of `live`. */
  function catchingUp() {
    const bounds = { events: 200, span: 1_000, bytes: 10_000 };
    const clock = { now: 0, ticks: () => clock.now };
    const intake = new OffsetTracker({ realtime: bounds, backfill }, new OverdueRoom(clock, 30_000));
    join(intake, 1);
    intake.changes();
    const admit = (at: typeof live, from: number, to: number) => {
      for (let offset = from; offset < to; offset++) {
        intake.admit({ ...at, epoch: 1, offset, bytes: 10, isOverdue: true });
      }
    };
    return { intake, clock, admit };
  }

  test("pause their partition alone while they have no room, and resume it at three quarters", () => {
    const { intake, admit } = catchingUp();
    expect(intake.mayAdmit(live, OLD_MS)).toBe(true);
    admit(live, 0, 50);
    expect(intake.changes()).toEqual({ pause: [live], resume: [] });
    expect([intake.mayAdmit(live, OLD_MS), intake.mayAdmit(other, undefined)]).toEqual([false, true]);

    settle(intake, live, 0, 12);
    expect(intake.changes()).toEqual(nothing);
    settle(intake, live, 12, 13);
    expect(intake.changes()).toEqual({ pause: [], resume: [live] });
  });

  test("are not taken in of another partition either, which is paused once it has such", () => {
    const { intake, admit } = catchingUp();
    expect(intake.mayAdmit(live, OLD_MS)).toBe(true);
    admit(live, 0, 50);

    expect(intake.mayAdmit(other, OLD_MS)).toBe(false);
    expect(intake.changes()).toEqual({ pause: [live, other], resume: [] });
    settle(intake, live, 0, 50);
    expect(intake.changes()).toEqual({ pause: [], resume: [live, other] });
  });

  test("have room for as many as were settled lately", () => {
    const { intake, admit } = catchingUp();
    intake.mayAdmit(live, OLD_MS);
    admit(live, 0, 50);
    settle(intake, live, 0, 50);
    admit(live, 50, 80);
    settle(intake, live, 50, 80);
    admit(live, 80, 159);
    expect(intake.mayAdmit(live, OLD_MS)).toBe(true);

    admit(live, 159, 160);
    expect(intake.mayAdmit(live, OLD_MS)).toBe(false);
  });

  test("do not hold up another partition with completed overdue records, whose next record may be on time", () => {
    const { intake, admit } = catchingUp();
    expect(intake.mayAdmit(other, OLD_MS)).toBe(true);
    admit(other, 0, 1);
    settle(intake, other, 0, 1);
    expect(intake.mayAdmit(live, OLD_MS)).toBe(true);
    admit(live, 0, 50);

    expect(intake.changes()).toEqual({ pause: [live], resume: [] });
  });

  test("hold up nothing once the next record of the partition can be on time", () => {
    const { intake, admit } = catchingUp();
    intake.mayAdmit(live, OLD_MS);
    admit(live, 0, 50);
    expect(intake.mayAdmit(live, OLD_MS)).toBe(false);

    expect(intake.mayAdmit(live, undefined)).toBe(true);
    expect(intake.changes()).toEqual(nothing);
  });

  test("are taken in without a bound of their own where events have no deadline, and of what is not owned", () => {
    const intake = started({ events: 500, span: 500 });
    deliver(intake, live, 0, 100);
    expect(intake.mayAdmit(live, OLD_MS)).toBe(true);

    expect(catchingUp().intake.mayAdmit({ topic: "events", partition: 9 }, OLD_MS)).toBe(true);
  });
});
