import { Kafka } from "kafkajs";
import { expect, onTestFinished } from "vitest";
import { KafkaGroupConsumer } from "../../src/adapters/kafka/group-consumer.ts";
import { systemClock } from "../../src/kernel/system-clock.ts";
import { GroupLoop } from "../../src/worker/group/group-loop.ts";
import type { StreamRecord } from "../../src/worker/group/ports.ts";
import { Intake } from "../../src/worker/ledger/intake.ts";
import { FakeLog } from "../fakes/fake-log.ts";
import { brokerTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { createTopic, freshName, produce, quiet } from "../servers/records.ts";
import { eventually } from "../support/eventually.ts";

const SESSION_MS = 6_000;

/** A member of a group over `topic`: what it took in, in order, and what to do to settle a record. */
async function member(topic: string, groupId: string, bounds = { events: 100, span: 1_000, bytes: 1_000_000 }) {
  const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
  const log = new FakeLog();
  const stopping = new AbortController();
  const taken: StreamRecord[] = [];
  const works = new Map<string, PromiseWithResolvers<void>>();
  const consumer = new KafkaGroupConsumer({
    kafka,
    groupId,
    topics: [topic],
    sessionTimeoutMs: SESSION_MS,
    rebalanceTimeoutMs: SESSION_MS,
    clock: systemClock,
    log,
  });
  const loop = new GroupLoop({
    consumer,
    intake: new Intake({ realtime: bounds, backfill: bounds }),
    laneOf: () => "realtime",
    work: (record) => {
      taken.push(record);
      const work = Promise.withResolvers<void>();
      works.set(`${record.partition}/${record.offset}`, work);
      return work.promise;
    },
    isHeld: () => false,
    clock: systemClock,
    log,
    stop: stopping.signal,
    drainMs: 1_000,
    stuckMs: 60_000,
  });
  const ended = loop.run();
  const stop = async () => {
    stopping.abort();
    await ended;
  };
  onTestFinished(stop);
  const values = () => taken.map(({ value }) => Buffer.from(value ?? []).toString());
  const settle = (partition: number, ...offsets: number[]) => {
    for (const offset of offsets) works.get(`${partition}/${offset}`)?.resolve();
  };
  const has = (count: number) =>
    eventually(
      async () => taken.length,
      (n) => n >= count,
      `${count} records`,
    );
  return { kafka, consumer, taken, values, settle, stop, has, log };
}

/** What the group has committed, by partition; -1 where nothing is. */
async function committed(kafka: Kafka, groupId: string, topic: string): Promise<number[]> {
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

brokerTest("only what is settled and lies in front is committed; the rest comes to the next member", async () => {
  const groupId = freshName("group");
  const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
  const topic = await createTopic(kafka);
  await produce(kafka, topic, ["a", "b", "c", "d"]);
  const first = await member(topic, groupId);
  await first.has(4);
  first.settle(0, 0, 1, 3);
  await eventually(
    () => committed(kafka, groupId, topic),
    ([offset]) => offset === 2,
    "a commit at 2",
  );
  await first.stop();
  expect(await committed(kafka, groupId, topic)).toEqual([2]);

  const second = await member(topic, groupId);
  await second.has(2);
  expect(second.values()).toEqual(["c", "d"]);
});

brokerTest("a full lane is read no further, and goes on when it has room", async () => {
  const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
  const topic = await createTopic(kafka);
  const reader = await member(topic, freshName("group"), { events: 2, span: 1_000, bytes: 1_000_000 });
  await produce(kafka, topic, ["a", "b"]);
  await reader.has(2);
  await produce(kafka, topic, ["c"]);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(reader.values()).toEqual(["a", "b"]);

  reader.settle(0, 0);
  await reader.has(3);
  expect(reader.values()).toEqual(["a", "b", "c"]);
});

brokerTest("a tombstone, a trace and a time come through", async () => {
  const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
  const topic = await createTopic(kafka);
  const producer = kafka.producer();
  await producer.connect();
  await producer.send({
    topic,
    messages: [
      { key: "k", value: null, timestamp: "1767225600000", headers: { traceparent: "00-ab-cd-01", other: "x" } },
    ],
  });
  await producer.disconnect();
  const reader = await member(topic, freshName("group"));
  await reader.has(1);

  expect(reader.taken).toEqual([
    {
      topic,
      partition: 0,
      offset: 0,
      timestamp: 1_767_225_600_000,
      value: undefined,
      headers: { traceparent: "00-ab-cd-01" },
    },
  ]);
});

brokerTest(
  "a second member takes over what the first loses; work that goes on there commits nothing of it",
  async () => {
    const groupId = freshName("group");
    const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
    const topic = await createTopic(kafka, { partitions: 2 });
    await produce(kafka, topic, ["a0"], 0);
    await produce(kafka, topic, ["a1"], 1);
    const first = await member(topic, groupId);
    await first.has(2);
    const second = await member(topic, groupId);
    await second.has(1);
    const [moved] = second.taken;
    const [kept, lost] = moved?.partition === 0 ? [1, 0] : [0, 1];

    first.settle(kept, 0);
    first.settle(lost, 0);
    await eventually(
      () => committed(kafka, groupId, topic),
      (offsets) => offsets[kept] === 1,
      "a commit of the kept partition",
    );
    expect((await committed(kafka, groupId, topic))[lost]).toBe(-1);
    second.settle(lost, 0);
    await eventually(
      () => committed(kafka, groupId, topic),
      (offsets) => offsets[lost] === 1,
      "a commit by the new member",
    );
    expect(first.values().toSorted()).toEqual(["a0", "a1"]);
  },
);
