import { expect, test } from "vitest";
import { BacklogWatch } from "../../../../src/archive/backlog/backlog-watch.ts";
import type { GroupPosition } from "../../../../src/kernel/stream.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";
import { heapUsed } from "../../../support/heap-used.ts";

const START = Date.UTC(2026, 0, 1);

/** A watch of one partition that ends at 9, with brokers that the test may make fail. */
async function watching() {
  const clock = new VirtualClock(START);
  const world = { committed: 7, isAway: false, isStoreAway: false, asked: 0 };
  const stopping = new AbortController();
  const offsets = {
    positions: async (): Promise<ReadonlyMap<number, GroupPosition>> => {
      if (world.isAway) throw new Error("no broker");
      return new Map([[0, { committed: world.committed, metadata: "", earliest: 0, end: 9 }]]);
    },
    // The record at 7 was written more than an hour before the start, and the record at 8 a minute later.
    firstSince: async (_: string, at: number) => {
      world.asked++;
      const first = at < START - 3_600_000 ? 7 : at < START - 3_540_000 ? 8 : 9;
      return new Map([[0, first]]);
    },
  };
  const isStoreAway = () => world.isStoreAway;
  const watch = new BacklogWatch({ offsets, topic: "verdicts", clock, log: new FakeLog(), isStoreAway });
  const ended = watch.run(stopping.signal);
  await settled();
  return { clock, world, stopping, ended, backlog: watch.backlog };
}

test("the backlog is dated at the start, and after two minutes without progress", async () => {
  const { clock, world, backlog } = await watching();
  expect(backlog.oldestAt).toBe(START - 3_600_000);
  const { asked } = world;
  await clock.advance(60_000);
  expect(world.asked).toBe(asked);
  world.committed = 8;
  await clock.advance(119_000);
  expect([world.asked, backlog.oldestAt]).toEqual([asked, undefined]);
  await clock.advance(31_000);
  expect(world.asked).toBeGreaterThan(asked);
  // To within an eighth: it was written an hour ago, less a minute at the start.
  expect(backlog.oldestAt).toBe(START + 210_000 - 3_600_000);
});

test("a long absence of the brokers or the store is not the archive's fault", async () => {
  const { clock, world, backlog } = await watching();
  const still = () => backlog.still(clock.ticks(), () => true).one;
  await clock.advance(600_000);
  expect(still()).toBe(600_000);
  world.isStoreAway = true;
  await clock.advance(30_000);
  expect(still()).toBe(0);
  world.isStoreAway = false;
  await clock.advance(600_000);
  expect(still()).toBe(600_000);
  world.isAway = true;
  await clock.advance(300_000);
  world.isAway = false;
  await clock.advance(30_000);
  expect(still()).toBe(0);
});

test("the watch ends when it is told to stop", async () => {
  const { stopping, ended } = await watching();
  stopping.abort();
  await expect(ended).resolves.toBeUndefined();
});

test("the watch ends at once when it is told to stop during a pending request", async () => {
  const stopping = new AbortController();
  const never = () => new Promise<never>(() => undefined);
  const deps = { topic: "verdicts", clock: new VirtualClock(), log: new FakeLog(), isStoreAway: () => false };
  const watch = new BacklogWatch({ ...deps, offsets: { positions: never, firstSince: never } });
  const ended = watch.run(stopping.signal);
  await settled();
  stopping.abort();
  await expect(ended).resolves.toBeUndefined();
});

test("the watch keeps nothing of its earlier requests", async () => {
  const { clock, world, ended, stopping } = await watching();
  world.committed = 9;
  const times = 5_000;
  await clock.advance(times * 30_000);
  clock.slept.length = 0;
  const before = await heapUsed();
  await clock.advance(times * 30_000);
  expect(clock.slept).toHaveLength(times);
  clock.slept.length = 0;
  expect(((await heapUsed()) - before) / times).toBeLessThan(60);
  stopping.abort();
  await ended;
});
