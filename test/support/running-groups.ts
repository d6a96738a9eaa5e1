import type { StreamRecord } from "../../src/kernel/stream.ts";
import { TicketPublisher } from "../../src/worker/consumer/output/publish-tickets.ts";
import { VerdictPublisher } from "../../src/worker/consumer/output/publish-verdicts.ts";
import { runGroups } from "../../src/worker/consumer/run-groups.ts";
import { failuresLaterMs, type Tier } from "../../src/worker/consumer/tiers.ts";
import { defaultBounds, type LaneBounds } from "../../src/worker/offsets/lane-bounds.ts";
import type { RecordDecoder } from "../../src/worker/ports.ts";
import { FakeConsumer } from "../fakes/fake-consumer.ts";
import { FakeLog } from "../fakes/fake-log.ts";
import { FakePublisher } from "../fakes/fake-publisher.ts";
import type { FakeService } from "../fakes/fake-service.ts";
import { settled, VirtualClock } from "../fakes/virtual-clock.ts";
import { freeSlots, workerFor } from "../fakes/worker.ts";

export const START = Date.UTC(2026, 0, 1);
export const SECOND = 1_000;
export const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/** A running worker on topics, over fakes. The test controls its time and its records. */
export async function running(
  asked: FakeService,
  {
    maxRecordBytes = 100_000,
    slots = freeSlots,
    overdueGraceMs = 2 * SECOND,
    bounds = defaultBounds,
    ticketBounds = undefined as LaneBounds | undefined,
    livePartitions = 1,
    decoder = undefined as RecordDecoder | undefined,
  } = {},
) {
  const clock = new VirtualClock(START);
  const log = new FakeLog();
  const publisher = new FakePublisher();
  const [events, retries] = [new FakeConsumer(), new FakeConsumer()];
  const stopping = new AbortController();
  const topics = { "10s": "retry.10s", "1m": "retry.1m", "10m": "retry.10m" };
  const tickets = new TicketPublisher({ publisher, clock, topics, maxRecordBytes });
  const sink = new VerdictPublisher({ publisher, clock, verdicts: "verdicts", deadLetters: "dead", maxRecordBytes });
  const worker = { ...workerFor(asked, { clock, log, sink, failuresLaterMs, slots, overdueGraceMs, bounds }), tickets };
  worker.pool.expectMore(false);
  const alive = () => {
    events.activeAt = retries.activeAt = clock.ticks();
  };
  alive();
  const ended = runGroups({
    ...worker,
    laneOf: (topic) => (topic === "live" ? "realtime" : "backfill"),
    onBegun: () => undefined,
    tierOf: (topic) => topic.replace("retry.", "") as Tier,
    log,
    events,
    retries,
    publisher,
    deadLetters: "dead",
    ...(decoder === undefined ? {} : { decoder }),
    ...(ticketBounds === undefined ? {} : { ticketBounds }),
    stop: stopping.signal,
    drainMs: 15 * SECOND,
    stuckMs: () => 3_600 * SECOND,
    headStuckMs: () => 1_800 * SECOND,
  });
  ended.catch(() => undefined);
  await settled();
  const live = Array.from({ length: livePartitions }, (_, partition) => ({ topic: "live", partition }));
  events.handler.joined([...live, { topic: "bulk", partition: 0 }]);
  retries.handler.joined(["retry.10s", "retry.1m", "retry.10m"].map((topic) => ({ topic, partition: 0 })));
  const deliver = async (own: Partial<StreamRecord>, consumer = events) => {
    const headers = { traceparent };
    consumer.handler.delivered([
      { topic: "live", partition: 0, offset: 0, timestamp: clock.now(), value: undefined, headers, ...own },
    ]);
    await settled();
  };
  const bytes = (content: unknown) => Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
  /** Delivers the last published ticket, as a retry topic does. */
  const bringBack = (offset = 0) => {
    const last = publisher.records.filter(({ topic }) => topic.startsWith("retry")).at(-1);
    if (last === undefined) throw new Error("there is no ticket");
    return deliver({ topic: last.topic, offset, value: last.value, headers: last.headers }, retries);
  };
  const pass = async (ms: number) => {
    alive();
    await clock.advance(ms);
    alive();
  };
  return { clock, log, publisher, events, retries, worker, stopping, ended, deliver, bytes, bringBack, pass };
}
