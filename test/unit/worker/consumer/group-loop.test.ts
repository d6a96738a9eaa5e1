import { describe, expect, test } from "vitest";
import type { StreamRecord } from "../../../../src/kernel/stream.ts";
import { GroupLoop, type GroupLoopDeps } from "../../../../src/worker/consumer/group-loop.ts";
import { OffsetTracker } from "../../../../src/worker/offsets/offset-tracker.ts";
import { OverdueRoom } from "../../../../src/worker/offsets/overdue-room.ts";
import { FakeConsumer, recordsAt } from "../../../fakes/fake-consumer.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";
import { heapUsed } from "../../../support/heap-used.ts";

const SECOND = 1_000;
const here = { topic: "events", partition: 0 };
const there = { topic: "events", partition: 1 };

/** A running loop with its collaborators. */
async function running(own: Partial<GroupLoopDeps> = {}) {
  const clock = new VirtualClock();
  const consumer = new FakeConsumer();
  const stopping = new AbortController();
  const log = new FakeLog();
  const begun: number[] = [];
  const works = new Map<number, PromiseWithResolvers<void>>();
  const lanes: string[] = [];
  const bounds = { events: 4, span: 100, bytes: 1_000 };
  const loop = new GroupLoop({
    consumer,
    intake: new OffsetTracker({ realtime: bounds, backfill: bounds }),
    laneOf: () => "realtime",
    work: (record: StreamRecord, lane) => {
      begun.push(record.offset);
      lanes.push(lane);
      const work = Promise.withResolvers<void>();
      works.set(record.offset, work);
      return work.promise;
    },
    isHeld: () => false,
    isQueued: () => false,
    clock,
    log,
    stop: stopping.signal,
    drainMs: 15 * SECOND,
    stuckMs: () => 60 * SECOND,
    headStuckMs: () => 600 * SECOND,
    ...own,
  });
  consumer.activeAt = clock.ticks();
  const ended = loop.run();
  ended.catch(() => undefined);
  await settled();
  const alive = () => {
    consumer.activeAt = clock.ticks();
  };
  /** Lets time pass while the consumer stays alive. */
  const pass = async (ms: number) => {
    alive();
    await clock.advance(ms);
    alive();
  };
  const finish = async (...offsets: number[]) => {
    for (const offset of offsets) works.get(offset)?.resolve();
    await settled();
  };
  return { clock, consumer, handler: consumer.handler, stopping, log, begun, works, lanes, loop, ended, pass, finish };
}

describe("the committed offset", () => {
  test("is the first uncompleted offset, a second after it moved", async () => {
    const { consumer, handler, begun, lanes, pass, finish } = await running();
    handler.joined([here]);

    expect(handler.delivered(recordsAt([5, 6, 7]))).toBe(true);
    expect(begun).toEqual([5, 6, 7]);
    expect(lanes).toEqual(["realtime", "realtime", "realtime"]);
    await finish(6);
    await pass(SECOND);
    const ahead = [{ ...here, offset: 5, metadata: "s1:AQ" }];
    expect(consumer.commits).toEqual([ahead]);
    await finish(5);
    await pass(SECOND);
    expect(consumer.commits).toEqual([ahead, [{ ...here, offset: 7 }]]);
    await pass(SECOND);
    expect(consumer.commits).toHaveLength(2);
  });

  test("is committed again until the broker confirms it", async () => {
    const { consumer, handler, log, pass, finish } = await running();
    handler.joined([here]);
    handler.delivered(recordsAt([0]));
    consumer.answer = "nothing";
    await finish(0);
    await pass(2 * SECOND);
    consumer.answer = new Error("the group is rebalancing");
    await pass(SECOND);
    consumer.answer = "taken";
    await pass(3 * SECOND);

    expect(consumer.commits).toEqual(Array(4).fill([{ ...here, offset: 1 }]));
    expect(log.lines.filter(({ level }) => level === "warn")).toMatchObject([
      { message: "the brokers refused a commit", fields: { reason: "the group is rebalancing" } },
    ]);
  });

  test("is committed at once at a rebalance, and after 500 records, but at most ten times a second", async () => {
    const bounds = { events: 2_000, span: 2_000, bytes: 100_000 };
    const intake = new OffsetTracker({ realtime: bounds, backfill: bounds });
    const { consumer, handler, pass, finish } = await running({ intake });
    const offsets = Array.from({ length: 1_100 }, (_, i) => i);
    handler.joined([here]);
    handler.delivered(recordsAt(offsets));
    await finish(0);
    handler.rebalancing();
    expect(consumer.commits).toEqual([[{ ...here, offset: 1 }]]);
    await settled();

    await pass(100);
    await finish(...offsets.slice(1, 500));
    expect(consumer.commits).toHaveLength(1);
    await finish(500);
    expect(consumer.commits.slice(1)).toEqual([[{ ...here, offset: 501 }]]);

    await pass(99);
    await finish(...offsets.slice(501, 1_099));
    expect(consumer.commits).toHaveLength(2);
    await pass(1);
    await finish(1_099);
    expect(consumer.commits.slice(2)).toEqual([[{ ...here, offset: 1_100 }]]);
  });
});

describe("after a rebalance", () => {
  test("a record that is redelivered while in flight is processed once, and completes there", async () => {
    const { consumer, handler, begun, pass, finish } = await running();
    handler.joined([here]);
    handler.delivered(recordsAt([0, 1]));
    handler.joined([here]);
    await finish(0);
    await pass(SECOND);
    expect(consumer.commits).toEqual([]);

    handler.delivered(recordsAt([0, 1, 2]));
    await finish(1, 2);
    await pass(SECOND);
    expect(begun).toEqual([0, 1, 2]);
    expect(consumer.commits).toEqual([[{ ...here, offset: 3 }]]);
  });

  test("a commit of the previous generation is not awaited, and commits of one generation run one by one", async () => {
    const { consumer, handler, pass, finish } = await running();
    const commit = consumer.commit.bind(consumer);
    const answers: PromiseWithResolvers<void>[] = [];
    consumer.commit = async (offsets) => {
      await commit(offsets);
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      await answer.promise;
    };
    consumer.answer = "nothing";
    handler.joined([here, there]);
    handler.delivered(recordsAt([0, 1]));
    handler.delivered(recordsAt([10, 11], there));
    await finish(0, 10);
    await pass(SECOND);
    handler.joined([here]);
    handler.delivered(recordsAt([0, 1]));
    await pass(SECOND);
    const first = [
      { ...here, offset: 1 },
      { ...there, offset: 11 },
    ];
    expect(consumer.commits).toEqual([first, [{ ...here, offset: 1 }]]);

    answers[0]?.reject(new Error("the generation is over"));
    await finish(1);
    await pass(SECOND);
    expect(consumer.commits).toHaveLength(2);
    answers[1]?.resolve();
    await pass(SECOND);
    expect(consumer.commits.slice(2)).toEqual([[{ ...here, offset: 2 }]]);
  });

  test("a lost partition is not committed, whatever completes, and is read again when it is regained", async () => {
    const { consumer, handler, begun, pass, finish } = await running();
    handler.joined([here, there]);
    handler.delivered(recordsAt([0]));
    handler.delivered(recordsAt([10], there));
    handler.joined([there]);
    await finish(0);
    expect(handler.delivered(recordsAt([1]))).toBe(false);
    await pass(SECOND);
    expect(consumer.commits).toEqual([]);

    handler.joined([here, there]);
    expect(handler.delivered(recordsAt([0, 1]))).toBe(true);
    expect(begun).toEqual([0, 10, 0, 1]);
    await finish(0, 1);
    await pass(SECOND);
    expect(consumer.commits).toEqual([[{ ...here, offset: 2 }]]);
  });

  test("no earlier pause remains, but a full lane is paused again", async () => {
    const { consumer, handler } = await running();
    handler.joined([here, there]);
    handler.delivered(recordsAt([0, 1, 2, 3]));
    await settled();
    expect([...consumer.paused]).toEqual(["events/0"]);
    handler.delivered(recordsAt([10], there));
    await settled();
    expect([...consumer.paused]).toEqual(["events/0", "events/1"]);

    handler.joined([there]);
    expect([...consumer.paused]).toEqual(["events/0"]);
    handler.delivered(recordsAt([10], there));
    await settled();
    expect([...consumer.paused]).toEqual(["events/0", "events/1"]);
  });
});

describe("records that are overdue when they are read", () => {
  const START = Date.UTC(2026, 0, 1);
  const old = (offsets: readonly number[], at = here) =>
    recordsAt(offsets, at).map((record) => ({ ...record, timestamp: START - 60 * SECOND }));
  const offsets = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

  test("are taken in while they have room, and come again after that; what is on time elsewhere is taken in", async () => {
    const bounds = { events: 1_000, span: 1_000, bytes: 100_000 };
    const room = new OverdueRoom({ ticks: () => 0 }, 30 * SECOND);
    const { consumer, handler, begun, finish, pass } = await running({
      intake: new OffsetTracker({ realtime: bounds, backfill: bounds }, room),
      isOverdue: (_lane, writtenAt, now) => now - writtenAt >= 30 * SECOND,
    });
    handler.joined([here, there]);
    expect(handler.delivered(old(offsets(0, 50)))).toBe(true);
    expect(handler.delivered(old(offsets(50, 60)))).toBe(false);
    await settled();
    expect([...consumer.paused]).toEqual(["events/0"]);
    expect(handler.delivered(recordsAt([100], there))).toBe(true);
    expect(begun).toEqual([...offsets(0, 50), 100]);

    await finish(...offsets(0, 20));
    expect([...consumer.paused]).toEqual([]);
    expect(handler.delivered(old(offsets(50, 60)))).toBe(true);
    await pass(SECOND);
    expect(consumer.commits.flat()).toContainEqual({ ...here, offset: 20 });
  });
});

describe("a topic that is made anew under its name", () => {
  test("is worked on from its first record on; what ends of the old one is committed in neither", async () => {
    const { consumer, handler, begun, works, pass, finish } = await running();
    handler.joined([here]);
    handler.located([{ ...here, offset: 0 }]);
    handler.delivered(recordsAt([0, 1, 2]));
    const old = [0, 1, 2].map((offset) => works.get(offset));
    handler.joined([here]);
    handler.located([{ ...here, offset: 0, isAnew: true }]);
    handler.delivered(recordsAt([0, 1]));
    expect(begun).toEqual([0, 1, 2, 0, 1]);
    for (const work of old) work?.resolve();
    await pass(SECOND);
    expect(consumer.commits).toEqual([]);
    await finish(0);
    await pass(SECOND);
    expect(consumer.commits).toEqual([[{ ...here, offset: 1 }]]);
  });

  test("is also processed from its start if another generation begins before its first record", async () => {
    const { consumer, handler, begun, pass, finish } = await running();
    handler.joined([here]);
    handler.located([{ ...here, offset: 0 }]);
    handler.delivered(recordsAt([0, 1, 2]));
    await finish(1);
    await finish(2);
    handler.joined([here]);
    handler.located([{ ...here, offset: 0, isAnew: true }]);
    handler.joined([here]);
    handler.located([{ ...here, offset: 0 }]);
    handler.delivered(recordsAt([0, 1, 2]));
    expect(begun).toEqual([0, 1, 2, 0, 1, 2]);
    await pass(SECOND);
    expect(consumer.commits).toEqual([]);
  });

  test("counts as the topic that was read until the change is reported", async () => {
    const { handler, begun } = await running();
    handler.joined([here]);
    handler.located([{ ...here, offset: 0 }]);
    handler.delivered(recordsAt([0, 1]));
    handler.joined([here]);
    handler.located([{ ...here, offset: 0 }]);
    handler.delivered(recordsAt([0, 1, 2]));
    expect(begun).toEqual([0, 1, 2]);
  });
});

test("a full lane is paused, and resumed once it holds three quarters of its limit", async () => {
  const { consumer, handler, finish } = await running();
  handler.joined([here]);
  handler.delivered(recordsAt([0, 1, 2, 3, 4]));
  await settled();
  expect([...consumer.paused]).toEqual(["events/0"]);
  await finish(3);
  expect([...consumer.paused]).toEqual(["events/0"]);
  await finish(1);
  expect([...consumer.paused]).toEqual([]);
});

describe("on stop", () => {
  test("the loop admits no record, lets work end, commits and leaves", async () => {
    const { consumer, handler, stopping, ended, finish } = await running();
    handler.joined([here]);
    handler.delivered(recordsAt([0, 1]));
    stopping.abort();
    await settled();
    expect([...consumer.paused]).toEqual(["events/0"]);
    expect(handler.delivered(recordsAt([2]))).toBe(false);
    await finish(0);
    expect(consumer.isStopped).toBe(false);

    await finish(1);
    await ended;
    expect(consumer.commits).toEqual([[{ ...here, offset: 2 }]]);
    expect(consumer.isStopped).toBe(true);
  });

  test("the loop waits for its time limit at most, and unfinished records are redelivered", async () => {
    const { consumer, handler, stopping, log, ended, clock, finish } = await running();
    handler.joined([here]);
    handler.delivered(recordsAt([0, 1]));
    await finish(0);
    stopping.abort();
    await settled();
    await clock.advance(15 * SECOND - 1);
    expect(consumer.isStopped).toBe(false);
    await clock.advance(1);

    await ended;
    expect(consumer.commits).toEqual([[{ ...here, offset: 1 }]]);
    expect(log.lines).toMatchObject([
      { level: "warn", message: "events that did not complete in time will be read again", fields: { events: 1 } },
    ]);
  });

  test("the last commit is tried again a limited number of times", async () => {
    const { consumer, handler, stopping, ended, finish } = await running();
    consumer.answer = "nothing";
    handler.joined([here]);
    handler.delivered(recordsAt([0]));
    await finish(0);
    stopping.abort();

    await ended;
    expect(consumer.commits).toHaveLength(3);
  });

  test("a last commit that hangs is not awaited", async () => {
    const { consumer, handler, stopping, ended, finish, clock } = await running();
    consumer.answer = "never";
    handler.joined([here]);
    handler.delivered(recordsAt([0]));
    await finish(0);
    stopping.abort();
    await clock.advance(3 * SECOND - 1);
    expect(consumer.isStopped).toBe(false);
    await clock.advance(1);

    await ended;
    expect(consumer.isStopped).toBe(true);
  });

  test("the loop leaves at once while it joins the group", async () => {
    const consumer = new FakeConsumer();
    consumer.start = () => new Promise<never>(() => undefined);
    const stopping = new AbortController();
    const bounds = { events: 4, span: 100, bytes: 1_000 };
    const loop = new GroupLoop({
      consumer,
      intake: new OffsetTracker({ realtime: bounds, backfill: bounds }),
      laneOf: () => "realtime",
      work: () => Promise.resolve(),
      isHeld: () => false,
      isQueued: () => false,
      clock: new VirtualClock(),
      log: new FakeLog(),
      stop: stopping.signal,
      drainMs: 15 * SECOND,
      stuckMs: () => 60 * SECOND,
      headStuckMs: () => 600 * SECOND,
    });
    const ended = loop.run();
    await settled();
    stopping.abort();

    await ended;
    expect(consumer.isStopped).toBe(true);
  });

  test("work that the stop interrupts is no failure", async () => {
    const { handler, stopping, ended, works } = await running();
    handler.joined([here]);
    handler.delivered(recordsAt([0]));
    stopping.abort();
    works.get(0)?.reject(new Error("given up"));

    await expect(ended).resolves.toBeUndefined();
  });
});

test("the work can see when its partition exceeds half of its span", async () => {
  const crowded: (() => boolean)[] = [];
  const bounds = { events: 100, span: 4, bytes: 1_000 };
  const { handler } = await running({
    intake: new OffsetTracker({ realtime: bounds, backfill: bounds }),
    work: async (_record, _lane, { isCrowded }) => {
      crowded.push(isCrowded);
      await new Promise(() => undefined);
    },
  });
  handler.joined([here]);
  handler.located([{ ...here, offset: 0 }]);
  handler.delivered(recordsAt([0, 1]));
  expect(crowded.map((each) => each())).toEqual([false, false]);
  handler.delivered(recordsAt([2]));
  expect(crowded.map((each) => each())).toEqual([true, true, true]);
});

describe("for a partition that is lost in a rebalance", () => {
  async function inWork() {
    const ours: (() => boolean)[] = [];
    const { consumer, handler, pass, works } = await running({
      work: (record, _lane, { isOurs }) => {
        ours.push(isOurs);
        const work = Promise.withResolvers<void>();
        works.set(record.offset, work);
        return work.promise;
      },
    });
    handler.joined([here]);
    handler.located([{ ...here, offset: 0 }]);
    handler.delivered(recordsAt([0]));
    return { consumer, handler, pass, works, isOurs: () => ours[0]?.() };
  }

  test("the work in flight belongs to the other member, which reads its record", async () => {
    const { handler, isOurs } = await inWork();
    expect(isOurs()).toBe(true);
    handler.joined([]);
    expect(isOurs()).toBe(false);
  });

  test("the work in flight stays here if its topic was deleted, and is committed nowhere", async () => {
    const { consumer, handler, isOurs, works, pass } = await inWork();
    handler.joined([], [here]);
    expect(isOurs()).toBe(true);
    handler.joined([here]);
    handler.located([{ ...here, offset: 0 }]);
    expect(isOurs()).toBe(true);
    works.get(0)?.resolve();
    await pass(SECOND);
    expect(consumer.commits).toEqual([]);
  });

  test("the work in flight returns here if the group learns later that its topic was deleted", async () => {
    const { handler, isOurs } = await inWork();
    handler.joined([]);
    handler.joined([], [here]);
    expect(isOurs()).toBe(true);
  });

  test("the work in flight stays here if its topic was recreated, and is committed nowhere", async () => {
    const { consumer, handler, isOurs, works, pass } = await inWork();
    const old = works.get(0);
    handler.joined([here], [here]);
    expect(isOurs()).toBe(true);
    handler.located([{ ...here, offset: 0, isAnew: true }]);
    handler.delivered(recordsAt([0]));
    expect(isOurs()).toBe(true);
    old?.resolve();
    await pass(SECOND);
    expect(consumer.commits).toEqual([]);
  });
});

describe("for a partition that stays through a rebalance", () => {
  test("the work in flight stays here, even if its record is gone from the log", async () => {
    const ours: (() => boolean)[] = [];
    const { consumer, handler, finish, pass, works } = await running({
      work: (record, _lane, { isOurs }) => {
        ours.push(isOurs);
        const work = Promise.withResolvers<void>();
        works.set(record.offset, work);
        return work.promise;
      },
    });
    handler.joined([here]);
    handler.located([{ ...here, offset: 5 }]);
    handler.delivered(recordsAt([5]));
    handler.joined([here]);
    handler.located([{ ...here, offset: 5 }]);
    handler.delivered(recordsAt([9]));
    expect(ours.map((each) => each())).toEqual([true, true]);
    await finish(5, 9);
    await pass(SECOND);
    expect(consumer.commits).toEqual([[{ ...here, offset: 10 }]]);
  });

  test("what the commit says is settled ahead is worked on where the log holds another record by now", async () => {
    const { handler, begun } = await running();
    handler.joined([here]);
    // 1 and 2 were settled, and the log is the same up to 2.
    handler.located([{ ...here, offset: 0, metadata: "s1:Aw", agreesUntil: 2 }]);
    handler.delivered(recordsAt([0, 1, 2, 3]));
    expect(begun).toEqual([0, 2, 3]);
  });

  test("what the commit says is settled ahead is not worked on", async () => {
    const { consumer, handler, begun, finish, pass } = await running();
    handler.joined([here]);
    handler.located([{ ...here, offset: 0, metadata: "s1:Aw" }]);
    handler.delivered(recordsAt([0, 1, 2, 3]));
    expect(begun).toEqual([0, 3]);
    await finish(0, 3);
    await pass(SECOND);
    expect(consumer.commits).toEqual([[{ ...here, offset: 4 }]]);
  });

  test("markers before the first record start no new assignment", async () => {
    const { handler, begun } = await running();
    handler.joined([here]);
    handler.located([{ ...here, offset: 0 }]);
    handler.delivered(recordsAt([0, 2]));
    handler.joined([here]);
    handler.located([{ ...here, offset: 0 }]);
    handler.delivered(recordsAt([2]));
    expect(begun).toEqual([0, 2]);
  });
});

test("the loop keeps no memory for the seconds that pass", async () => {
  const { clock, stopping, ended } = await running({ stuckMs: () => Number.POSITIVE_INFINITY });
  const seconds = 5_000;
  await clock.advance(seconds * SECOND);
  clock.slept.length = 0;
  const before = await heapUsed();
  await clock.advance(seconds * SECOND);
  expect(clock.slept).toHaveLength(seconds);
  clock.slept.length = 0;
  expect(((await heapUsed()) - before) / seconds).toBeLessThan(60);
  stopping.abort();
  await ended;
});

test("on stop the loop pauses the partitions of a new generation", async () => {
  const { consumer, handler, stopping } = await running();
  handler.joined([here]);
  handler.delivered(recordsAt([0]));
  stopping.abort();
  await settled();
  handler.joined([here, there]);
  expect([...consumer.paused].toSorted()).toEqual(["events/0", "events/1"]);
});

describe("the loop ends and leaves the group", () => {
  test("when the consumer has ended for good", async () => {
    const { consumer, handler, ended } = await running();
    handler.failed(new TypeError("x is undefined"), false);

    await expect(ended).rejects.toMatchObject({
      code: "CONSUMER_DEAD",
      message: "the consumer has ended: x is undefined",
    });
    expect(consumer.isStopped).toBe(true);
  });

  test("when the consumer restarts a sixth time within ten minutes without a completed record", async () => {
    const { handler, ended, pass } = await running();
    const fail = async () => {
      handler.failed(new Error("no coordinator"), true);
      await pass(36 * SECOND);
    };
    for (let i = 0; i < 5; i++) await fail();
    for (let i = 0; i < 12; i++) await pass(50 * SECOND);
    for (let i = 0; i < 6; i++) await fail();

    await expect(ended).rejects.toMatchObject({ code: "CONSUMER_DEAD" });
  });

  test("but not when the consumer fails many times a second while a broker restarts", async () => {
    const { handler, stopping, ended, pass } = await running();
    for (let i = 0; i < 350; i++) {
      handler.failed(new Error("connection reset"), true);
      await pass(SECOND / 2);
    }
    stopping.abort();

    await expect(ended).resolves.toBeUndefined();
  });

  test("but not when it was an idle member for a minute each time", async () => {
    const { handler, stopping, ended, pass } = await running();
    for (let i = 0; i < 20; i++) {
      handler.joined([here]);
      for (let each = 0; each < 2; each++) await pass(30 * SECOND);
      handler.failed(new Error("a broker restarts"), true);
    }
    stopping.abort();

    await expect(ended).resolves.toBeUndefined();
  });

  test("even when it was a member for a minute each time, if there was work and none was completed", async () => {
    const { handler, ended, pass } = await running({ stuckMs: () => 3_600 * SECOND });
    for (let i = 0; i < 6; i++) {
      handler.joined([here]);
      handler.delivered(recordsAt([0]));
      for (let each = 0; each < 2; each++) await pass(30 * SECOND);
      handler.failed(new Error("no coordinator"), true);
    }

    await expect(ended).rejects.toMatchObject({ code: "CONSUMER_DEAD" });
  });

  test("a member that failed is no member until it joins again", async () => {
    const { handler, loop } = await running();
    handler.joined([here]);
    expect(loop.isJoined).toBe(true);
    handler.failed(new Error("no coordinator"), true);
    expect(loop.isJoined).toBe(false);
  });

  test("but not when a record was completed in between", async () => {
    const { handler, stopping, ended, finish, pass } = await running({ isHeld: () => true });
    const fail = async () => {
      handler.failed(new Error("no coordinator"), true);
      await pass(36 * SECOND);
    };
    handler.joined([here]);
    handler.delivered(recordsAt([0]));
    for (let i = 0; i < 5; i++) await fail();
    await finish(0);
    for (let i = 0; i < 5; i++) await fail();
    stopping.abort();

    await expect(ended).resolves.toBeUndefined();
  });

  test("when the consumer gives no sign of life", async () => {
    const { ended, clock } = await running();
    await clock.advance(61 * SECOND);

    await expect(ended).rejects.toMatchObject({
      code: "WORKER_STUCK",
      message: "the consumer was silent for 60 s",
    });
  });

  test("when there is work and none is completed", async () => {
    const { handler, ended, pass } = await running();
    await pass(50 * SECOND);
    handler.joined([here]);
    handler.delivered(recordsAt([0, 1]));
    await pass(59 * SECOND);
    await pass(2 * SECOND);

    await expect(ended).rejects.toMatchObject({
      code: "WORKER_STUCK",
      message: "none of 2 events in work was settled for 60 s",
    });
  });

  describe("when one partition stands still while others are completed", () => {
    /** The first event of one partition never ends. One event of another partition ends every 30 s. */
    async function besides(seconds: number) {
      const bounds = { events: 1_000, span: 1_000, bytes: 1_000_000 };
      const intake = new OffsetTracker({ realtime: bounds, backfill: bounds });
      const of = await running({ intake });
      of.handler.joined([here, there]);
      of.handler.delivered(recordsAt([17]));
      for (let passed = 0; passed < seconds; passed += 30) {
        const offset = 1_000 + passed;
        of.handler.delivered(recordsAt([offset], there));
        await of.finish(offset);
        await of.pass(30 * SECOND);
      }
      return of;
    }

    test("without a known reason", async () => {
      const { ended, loop } = await besides(630);

      await expect(ended).rejects.toMatchObject({
        code: "WORKER_STUCK",
        message: "events/0 is not settled from offset 17 on, and waited for nothing that is known for 600 s",
      });
      expect(loop.stalledPartitionMs("backfill")).toBe(0);
    });

    test("even if later events of the same partition are completed", async () => {
      const { handler, ended, finish, pass } = await besides(0);
      for (let offset = 18; offset < 40; offset++) {
        handler.delivered(recordsAt([offset]));
        await finish(offset);
        await pass(30 * SECOND);
      }

      await expect(ended).rejects.toMatchObject({ code: "WORKER_STUCK" });
    });

    test("but not when it moves, or had no work for long", async () => {
      const { handler, ended, stopping, finish, pass } = await besides(570);
      await finish(17);
      for (let second = 0; second < 900; second += 30) await pass(30 * SECOND);
      handler.delivered(recordsAt([18, 19]));
      for (const offset of [18, 19]) {
        for (let second = 0; second < 540; second += 30) {
          handler.delivered(recordsAt([10_000 * offset + second], there));
          await finish(10_000 * offset + second);
          await pass(30 * SECOND);
        }
        await finish(offset);
      }
      stopping.abort();

      await expect(ended).resolves.toBeUndefined();
    });

    test("but not for a partition that another member has now", async () => {
      const { handler, ended, stopping, finish, pass } = await besides(570);
      handler.joined([there]);
      for (let second = 0; second < 300; second += 30) {
        handler.delivered(recordsAt([5_000 + second], there));
        await finish(5_000 + second);
        await pass(30 * SECOND);
      }
      stopping.abort();
      await pass(15 * SECOND);

      await expect(ended).resolves.toBeUndefined();
    });
  });

  test("when work fails with a bug, and its record is not completed", async () => {
    const { consumer, handler, ended, works } = await running();
    handler.joined([here]);
    handler.delivered(recordsAt([0]));
    works.get(0)?.reject(new TypeError("a bug"));

    await expect(ended).rejects.toThrow("a bug");
    expect(consumer.commits).toEqual([]);
  });

  describe("when finished work cannot be marked as completed", () => {
    /** The ledger's error for a record that is completed twice. */
    class Refusing extends OffsetTracker {
      override settle(): never {
        throw new Error("offset 0 is settled already");
      }
    }
    const bounds = { events: 4, span: 100, bytes: 1_000 };
    const refusing = () => running({ intake: new Refusing({ realtime: bounds, backfill: bounds }) });

    test("with the bug, and without an unhandled rejection", async () => {
      const { consumer, handler, ended, finish } = await refusing();
      handler.joined([here]);
      handler.delivered(recordsAt([0, 1]));
      await finish(0);

      await expect(ended).rejects.toThrow("offset 0 is settled already");
      expect([consumer.isStopped, consumer.commits]).toEqual([true, []]);
    });

    test("even while it drains", async () => {
      const { consumer, handler, stopping, ended, finish } = await refusing();
      handler.joined([here]);
      handler.delivered(recordsAt([0]));
      stopping.abort();
      await settled();
      await finish(0);

      await expect(ended).rejects.toThrow("offset 0 is settled already");
      expect([consumer.isStopped, consumer.commits]).toEqual([true, []]);
    });
  });

  test("when the changes cannot be computed, with the bug and without an uncaught exception", async () => {
    class Lost extends OffsetTracker {
      override changes(): never {
        throw new Error("a partition is of no lane");
      }
    }
    const bounds = { events: 4, span: 100, bytes: 1_000 };
    const { consumer, handler, ended } = await running({ intake: new Lost({ realtime: bounds, backfill: bounds }) });
    handler.joined([here]);
    handler.delivered(recordsAt([0]));

    await expect(ended).rejects.toThrow("a partition is of no lane");
    expect(consumer.isStopped).toBe(true);
  });

  test("when the consumer cannot pause a full lane", async () => {
    const { consumer, handler, ended } = await running();
    consumer.pause = () => {
      throw new Error("the consumer has no group");
    };
    handler.joined([here]);
    handler.delivered(recordsAt([0, 1, 2, 3]));

    await expect(ended).rejects.toThrow("the consumer has no group");
    expect(consumer.isStopped).toBe(true);
  });

  test("when a skipped offset arrives, because it must be read again from the commit", async () => {
    const { handler, ended } = await running();
    handler.joined([here]);
    handler.delivered(recordsAt([0, 5]));
    expect(handler.delivered(recordsAt([3]))).toBe(false);

    await expect(ended).rejects.toThrow("offset 3 was passed over and comes only now");
  });
});
