import { CompressionTypes, Kafka, type Producer } from "kafkajs";
import { expect } from "vitest";
import { kafkaClient } from "../../src/adapters/kafka/client/kafka-client.ts";
import { fetchedPartitions } from "../../src/adapters/kafka/consumer/fetched-partitions.ts";
import { logEnds } from "../../src/adapters/kafka/offsets/log-ends.ts";
import { watchUnfetchedEnds } from "../../src/adapters/kafka/offsets/unfetched-ends.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { quietLog } from "../../src/kernel/log.ts";
import { brokerTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { createTopic, freshName, quiet } from "../servers/records.ts";
import { BROKERS_MS, eventually } from "../support/eventually.ts";
import { committedBy, groupMember, untilCommitted } from "../support/group-member.ts";

const brokers = sharedBootstrap;
const kafka = new Kafka({ ...quiet, brokers: [...brokers] });

async function transactional(): Promise<Producer> {
  const producer = kafka.producer({ transactionalId: freshName("tx"), maxInFlightRequests: 1, idempotent: true });
  await producer.connect();
  return producer;
}

const messages = (...values: readonly string[]) => values.map((value) => ({ value, partition: 0 }));

brokerTest("what a transaction aborted is never delivered; the watermark passes it, and its markers", async () => {
  const topic = await createTopic(kafka);
  const groupId = freshName("group");
  const producer = await transactional();
  const transact = async (end: "commit" | "abort", ...values: readonly string[]) => {
    const transaction = await producer.transaction();
    await transaction.send({ topic, acks: -1, messages: messages(...values) });
    await transaction[end]();
  };
  await transact("commit", "a", "b"); // Offsets 0, 1; marker at 2.
  await transact("abort", "x", "y"); // Offsets 3, 4; marker at 5.
  await transact("commit", "c"); // Offset 6; marker at 7.
  await transact("abort", "z"); // Offset 8; marker at 9.
  await producer.disconnect();

  const first = groupMember({ brokers, topic, groupId });
  await first.has(3);
  first.settle(0, 0, 1);
  await untilCommitted(kafka, groupId, topic, [2]);
  first.settle(0, 6);
  // The markers and the aborted record behind the last delivered record need no reading, so there is no lag.
  await untilCommitted(kafka, groupId, topic, [10]);
  await first.stop();
  expect(first.taken.map(({ offset }) => offset)).toEqual([0, 1, 6]);

  const second = groupMember({ brokers, topic, groupId });
  await second.joined(1);
  const again = await transactional();
  const transaction = await again.transaction();
  await transaction.send({ topic, acks: -1, messages: messages("d") });
  await transaction.commit();
  await again.disconnect();
  await second.has(1);
  second.settle(0, 10);
  await untilCommitted(kafka, groupId, topic, [12]);
  expect(second.valuesOf()).toEqual(["d"]);
  expect(await committedBy(kafka, groupId, topic)).toEqual([12]);
});

brokerTest("a log of aborted records alone is committed to its end", async () => {
  const topic = await createTopic(kafka);
  const groupId = freshName("group");
  const producer = await transactional();
  const transaction = await producer.transaction();
  await transaction.send({ topic, acks: -1, messages: messages("x", "y") });
  await transaction.abort();
  await producer.disconnect();

  groupMember({ brokers, topic, groupId });
  await untilCommitted(kafka, groupId, topic, [3]);
});

brokerTest("records behind an open transaction are lag", async () => {
  const topic = await createTopic(kafka);
  const producer = await transactional();
  const transaction = await producer.transaction();
  await transaction.send({ topic, acks: -1, messages: messages("a", "b") });
  const plain = kafka.producer();
  await plain.connect();
  await plain.send({ topic, acks: -1, messages: messages("c") });
  await plain.disconnect();
  const reader = groupMember({ brokers, topic, groupId: freshName("group") });

  const behind = () => reader.lag().get(topic);
  await eventually(behind, (records) => records === 3, "the lag of an open transaction", BROKERS_MS);
  expect(reader.taken).toEqual([]);
  await transaction.commit();
  await producer.disconnect();
  await reader.has(3);
  await eventually(behind, (records) => records === 0, "no lag", BROKERS_MS);
});

brokerTest("records behind a full worker, which fetches no more, are lag", async () => {
  const topic = await createTopic(kafka);
  const bounds = { events: 1, span: 10, bytes: 1_000_000 };
  const reader = groupMember({ brokers, topic, groupId: freshName("group"), bounds });
  const plain = kafka.producer();
  await plain.connect();
  await plain.send({ topic, acks: -1, messages: messages("a") });
  await reader.has(1);
  const stopping = new AbortController();
  const client = kafkaClient({ brokers, clientId: "weir-test" }, quietLog);
  const ends = (topics: readonly string[]) => logEnds(client, topics, { clock: systemClock });
  const seen = fetchedPartitions;
  const { assigned } = reader;
  const watch = watchUnfetchedEnds({ assigned, seen, ends, clock: systemClock }, stopping.signal, 1_000);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await plain.send({ topic, acks: -1, messages: messages("b", "c") });
  await plain.disconnect();

  await eventually(
    () => reader.lag().get(topic),
    (records) => records === 2,
    "the lag of a paused partition",
    BROKERS_MS,
  );
  stopping.abort();
  await watch;
});

brokerTest("transactions that overlap and are aborted deliver nothing, whichever ends first", async () => {
  const topic = await createTopic(kafka);
  const [a, b] = [await transactional(), await transactional()];
  const [ta, tb] = [await a.transaction(), await b.transaction()];
  await ta.send({ topic, acks: -1, messages: messages("a0") });
  await tb.send({ topic, acks: -1, messages: messages("b1") });
  await ta.send({ topic, acks: -1, messages: messages("a2") });
  await tb.abort();
  await ta.send({ topic, acks: -1, messages: messages("a4") });
  await ta.abort();
  const tc = await a.transaction();
  await tc.send({ topic, acks: -1, compression: CompressionTypes.GZIP, messages: messages("c6") });
  await tc.commit();
  await Promise.all([a.disconnect(), b.disconnect()]);

  const reader = groupMember({ brokers, topic, groupId: freshName("group") });
  await reader.has(1);
  expect(reader.valuesOf()).toEqual(["c6"]);
  expect(reader.log.messages("warn").filter((line) => line.includes("deleted"))).toEqual([]);
});
