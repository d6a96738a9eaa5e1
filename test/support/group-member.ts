import type { Kafka } from "kafkajs";
import { onTestFinished } from "vitest";
import { kafkaClient } from "../../src/adapters/kafka/client/kafka-client.ts";
import { KafkaGroupConsumer } from "../../src/adapters/kafka/consumer/group-consumer.ts";
import { TRACE_HEADERS } from "../../src/adapters/kafka/consumer/passed-headers.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { StreamRecord } from "../../src/kernel/stream.ts";
import { GroupLoop } from "../../src/worker/consumer/group-loop.ts";
import type { LaneBounds } from "../../src/worker/offsets/lane-bounds.ts";
import { OffsetTracker } from "../../src/worker/offsets/offset-tracker.ts";
import { FakeLog } from "../fakes/fake-log.ts";
import { eventually } from "./eventually.ts";

const SESSION_MS = 6_000;
const WIDE: LaneBounds = { events: 1_000, span: 10_000, bytes: 10_000_000 };

export interface MemberOptions {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly groupId: string;
  readonly bounds?: LaneBounds;
  readonly metadataMaxAgeMs?: number;
}

/**
 * A member of a group, with Weir's consumer and loop: its records in order, and the functions that complete a record.
 */
export function groupMember({ brokers, topic, groupId, bounds = WIDE, metadataMaxAgeMs }: MemberOptions) {
  const log = new FakeLog();
  const stopping = new AbortController();
  const taken: StreamRecord[] = [];
  const works = new Map<string, PromiseWithResolvers<void>[]>();
  const consumer = new KafkaGroupConsumer({
    kafka: kafkaClient({ brokers, clientId: "weir-test" }, log),
    groupId,
    topics: [topic],
    sessionTimeoutMs: SESSION_MS,
    rebalanceTimeoutMs: SESSION_MS,
    random: Math.random,
    clock: systemClock,
    log,
    headers: { names: TRACE_HEADERS },
    ...(metadataMaxAgeMs === undefined ? {} : { metadataMaxAgeMs }),
  });
  const loop = new GroupLoop({
    consumer,
    intake: new OffsetTracker({ realtime: bounds, backfill: bounds }),
    laneOf: () => "realtime",
    work: (record) => {
      taken.push(record);
      const work = Promise.withResolvers<void>();
      const at = `${record.partition}/${record.offset}`;
      works.set(at, [...(works.get(at) ?? []), work]);
      return work.promise;
    },
    isHeld: () => false,
    isQueued: () => false,
    clock: systemClock,
    log,
    stop: stopping.signal,
    drainMs: 500,
    stuckMs: () => 60_000,
    headStuckMs: () => 3_600_000,
  });
  const ended = loop.run();
  ended.catch(() => undefined);
  const stop = async () => {
    stopping.abort();
    await ended;
  };
  onTestFinished(() => stop().catch(() => undefined));
  const valuesOf = (partition?: number) =>
    taken
      .filter((record) => partition === undefined || record.partition === partition)
      .map(({ value }) => Buffer.from(value ?? []).toString());
  return {
    log,
    taken,
    ended,
    stop,
    lag: () => consumer.lag(),
    assigned: () => consumer.assigned,
    valuesOf,
    /** Completes these records, for all their deliveries. */
    settle: (partition: number, ...offsets: readonly number[]) => {
      for (const offset of offsets) for (const work of works.get(`${partition}/${offset}`) ?? []) work.resolve();
    },
    /** Completes these records, except for their last delivery. */
    settleEarlier: (partition: number, ...offsets: readonly number[]) => {
      for (const offset of offsets) {
        for (const work of works.get(`${partition}/${offset}`)?.slice(0, -1) ?? []) work.resolve();
      }
    },
    has: (count: number) =>
      eventually(
        () => taken.length,
        (n) => n >= count,
        `${count} records`,
      ),
    /** Waits until the member has joined `times` generations of its group. */
    joined: (times: number) =>
      eventually(
        () => log.messages("info").filter((message) => message.includes("has joined the group")).length,
        (n) => n >= times,
        `${times} joins`,
      ),
  };
}

/** The committed offsets of the group, by partition; -1 without a commit. */
export async function committedBy(kafka: Kafka, groupId: string, topic: string): Promise<number[]> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
    const partitions = found?.partitions ?? [];
    return partitions.toSorted((a, b) => a.partition - b.partition).map(({ offset }) => Number(offset));
  } finally {
    await admin.disconnect();
  }
}

/** Waits until the group has committed exactly these offsets. */
export async function untilCommitted(
  kafka: Kafka,
  groupId: string,
  topic: string,
  offsets: readonly number[],
  patienceMs?: number,
) {
  const wanted = JSON.stringify(offsets);
  await eventually(
    () => committedBy(kafka, groupId, topic).catch((thrown: unknown) => String(thrown)),
    (found) => JSON.stringify(found) === wanted,
    `a commit of ${wanted}`,
    patienceMs,
  );
}
