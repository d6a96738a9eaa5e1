import { describe, expect, test } from "vitest";
import { type Watched, WorkerWatch } from "../../../../src/cli/worker/worker-watch.ts";
import { GroupLoop } from "../../../../src/worker/consumer/group-loop.ts";
import type { Tier } from "../../../../src/worker/consumer/tiers.ts";
import { defaultBounds } from "../../../../src/worker/offsets/lane-bounds.ts";
import { OffsetTracker } from "../../../../src/worker/offsets/offset-tracker.ts";
import { Outage } from "../../../../src/worker/rate-limit/breaker/outage.ts";
import { FakeConsumer, recordsAt } from "../../../fakes/fake-consumer.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";

const live = { topic: "live", partition: 0 };
const laneOf = (topic: string) => (topic === "live" ? "realtime" : "backfill");

/** A worker with joined groups, and records that never complete. */
async function watching(own: Partial<Watched> = {}) {
  const clock = new VirtualClock();
  const intake = new OffsetTracker(defaultBounds);
  const lag = () =>
    new Map([
      ["live", 3],
      ["bulk", 4],
      ["more", 5],
    ]);
  const fetchesWithoutProgress = () =>
    new Map([
      ["bulk", 240],
      ["more", 2],
    ]);
  const watch = new WorkerWatch({
    clock,
    gate: { closed: undefined, silence: new Outage() },
    pool: { isOff: false },
    intake,
    events: { lag, fetchesWithoutProgress, missing: ["bulk", "more"], activeAt: clock.ticks() },
    retries: { activeAt: clock.ticks() },
    laneOf,
    minTimeMs: () => 20,
    shared: undefined,
    part: () => 1,
    ...own,
  });
  const consumers = { events: new FakeConsumer(), retries: new FakeConsumer() };
  for (const consumer of [consumers.events, consumers.retries]) consumer.activeAt = clock.ticks();
  const shared = {
    clock,
    log: new FakeLog(),
    stop: new AbortController().signal,
    drainMs: 0,
    stuckMs: () => 1_000_000_000,
    headStuckMs: () => 1_000_000_000,
  };
  const never = {
    ...shared,
    isHeld: () => true,
    isQueued: () => false,
    work: () => new Promise<never>(() => undefined),
  };
  const events = new GroupLoop({ ...never, consumer: consumers.events, intake, laneOf });
  const bounds = { events: 10, span: 10, bytes: 1_000 };
  const retries = new GroupLoop<Tier>({
    ...never,
    consumer: consumers.retries,
    intake: new OffsetTracker<Tier>({ "10s": bounds, "1m": bounds, "10m": bounds }),
    laneOf: () => "10s",
  });
  watch.begun(events, retries);
  for (const loop of [events, retries]) loop.run().catch(() => undefined);
  await settled();
  return { watch, clock, ...consumers };
}

describe("the worker is ready", () => {
  test("once it has joined both groups", async () => {
    const { watch, events, retries } = await watching();
    expect(watch.health.ready()).toEqual([
      "the group of the input topics has not been joined",
      "the group of the retry topics has not been joined",
    ]);
    events.handler.joined([live]);
    retries.handler.joined([]);

    expect(watch.health.ready()).toEqual([]);
  });

  test.each([
    ["unauthorized", ["the service refuses the API key"]],
    ["failing", ["the service gives no answer"]],
    ["rate limited", []],
  ] as const)("unless the service is %s", async (closed, reasons) => {
    const { watch, events, retries } = await watching({ gate: { closed, silence: new Outage() } });
    events.handler.joined([live]);
    retries.handler.joined([]);

    expect(watch.health.ready()).toEqual(reasons);
  });
});

test("it is not ready once the service has not answered for 30 s, and is again with its next answer", async () => {
  const silence = new Outage();
  const { watch, clock, events, retries } = await watching({ gate: { closed: undefined, silence } });
  events.handler.joined([live]);
  retries.handler.joined([]);
  silence.failed(clock.ticks());
  await clock.advance(29_999);
  expect(watch.health.ready()).toEqual([]);
  await clock.advance(1);
  expect(watch.health.ready()).toEqual(["the service gives no answer"]);

  silence.answered(clock.ticks());

  expect(watch.health.ready()).toEqual([]);
});

test("the worker must restart when a consumer of its own is silent", async () => {
  const { watch, clock } = await watching();
  expect(watch.health.live()).toEqual([]);
  await clock.advance(121_000);

  expect(watch.health.live()).toEqual([
    "the consumer of the input topics was silent for 121 s",
    "the consumer of the retry topics was silent for 121 s",
  ]);
});

test("the worker must restart when only its retry consumer is silent", async () => {
  const { watch, clock } = await watching({
    events: {
      lag: () => new Map(),
      fetchesWithoutProgress: () => new Map(),
      missing: [],
      activeAt: Number.POSITIVE_INFINITY,
    },
  });
  await clock.advance(121_000);

  expect(watch.health.live()).toEqual(["the consumer of the retry topics was silent for 121 s"]);
});

test("the gauges of a worker: events in flight and their age, lag by lane, tickets, pace", async () => {
  const { watch, clock, events, retries } = await watching();
  events.handler.joined([live]);
  retries.handler.joined([{ topic: "retry", partition: 0 }]);
  const timestamp = clock.now() - 4_500;
  events.handler.delivered(recordsAt([0, 1], live).map((record) => ({ ...record, timestamp })));
  retries.handler.delivered(recordsAt([0], { topic: "retry" }));

  const { gauges } = watch;
  expect(gauges.inWork("realtime")).toEqual({ events: 2, oldestSeconds: 4.5 });
  expect(gauges.inWork("backfill")).toEqual({ events: 0, oldestSeconds: 0 });
  expect(gauges.stalledPartitionSeconds("realtime")).toBe(0);
  await clock.advance(8_000);
  expect([gauges.stalledPartitionSeconds("realtime"), gauges.stalledPartitionSeconds("backfill")]).toEqual([7, 0]);
  expect([gauges.lag("realtime"), gauges.lag("backfill")]).toEqual([3, 9]);
  expect([gauges.fetchesWithoutProgress("realtime"), gauges.fetchesWithoutProgress("backfill")]).toEqual([0, 240]);
  expect([gauges.missingTopics("realtime"), gauges.missingTopics("backfill")]).toEqual([0, 2]);
  expect(gauges.tickets()).toBe(1);
  expect([gauges.closed(), gauges.isPoolingOff()]).toEqual([undefined, false]);
  expect(gauges.pace()).toBe(50);
  expect((await watching({ minTimeMs: () => 0 })).watch.gauges.pace()).toBe(0);
  expect([gauges.quotaShare(), gauges.quotaMembers()]).toEqual([50, 0]);
  const shared = (await watching({ shared: { perSecond: 12, members: 4 } })).watch.gauges;
  expect([shared.pace(), shared.quotaShare(), shared.quotaMembers()]).toEqual([50, 12, 4]);
});
