import { CompressionTypes, Kafka } from "kafkajs";
import fetchResponse from "kafkajs/src/protocol/requests/fetch/v11/response.js";
import { expect, onTestFinished } from "vitest";
import { repairFetch } from "../../src/adapters/kafka/kafkajs-patches/fetch-repair.ts";
import { registerCodecs } from "../../src/adapters/kafka/wire/codecs.ts";
import { readFetchAnswer } from "../../src/adapters/kafka/wire/fetch-answer.ts";
import { batchesOf } from "../../src/adapters/kafka/wire/fetched-batch.ts";
import { createTopics } from "../servers/create-topics.ts";
import { brokerTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { createTopic, freshName, produce, quiet } from "../servers/records.ts";
import { eventually } from "../support/eventually.ts";
import { groupMember, untilCommitted } from "../support/group-member.ts";

const brokers = sharedBootstrap;
const kafka = new Kafka({ ...quiet, brokers: [...brokers] });

async function deleteBefore(topic: string, offset: number): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    // The broker deletes nothing from a topic that it has not examined.
    await admin.fetchTopicOffsets(topic);
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: String(offset) }] });
  } finally {
    await admin.disconnect();
  }
}

const DELETED = "the topic deleted records before Weir read them: raise the retention of the topic";
const deletions = ({ log }: ReturnType<typeof groupMember>) => log.lines.filter(({ message }) => message === DELETED);

brokerTest(
  "a group whose next record was deleted while it was away goes on at the first that is there, and says so",
  async () => {
    const groupId = freshName("group");
    const topic = await createTopic(kafka);
    await produce(kafka, topic, ["a", "b", "c", "d", "e"]);
    const first = groupMember({ brokers, topic, groupId });
    await first.has(5);
    first.settle(0, 0, 1);
    await untilCommitted(kafka, groupId, topic, [2]);
    await first.stop();
    await deleteBefore(topic, 4);

    const second = groupMember({ brokers, topic, groupId });
    await second.has(1);
    second.settle(0, 4);
    await untilCommitted(kafka, groupId, topic, [5]);
    expect(second.valuesOf()).toEqual(["e"]);
    expect(deletions(second)).toEqual([
      { level: "warn", message: DELETED, fields: { topic, partition: 0, from: 2, until: 4 } },
    ]);
  },
);

brokerTest("what is deleted while its partition is paused is noticed too", async () => {
  const groupId = freshName("group");
  const topic = await createTopic(kafka);
  await produce(kafka, topic, ["a", "b"]);
  const reader = groupMember({ brokers, topic, groupId, bounds: { events: 2, span: 1_000, bytes: 1_000_000 } });
  await reader.has(2);
  await produce(kafka, topic, ["c", "d", "e"]);
  await deleteBefore(topic, 4);
  reader.settle(0, 0, 1);
  await reader.has(3);
  reader.settle(0, 4);
  await untilCommitted(kafka, groupId, topic, [5]);

  expect(reader.valuesOf()).toEqual(["a", "b", "e"]);
  expect(deletions(reader)).toEqual([
    { level: "warn", message: DELETED, fields: { topic, partition: 0, from: 2, until: 4 } },
  ]);
});

/** A topic that the log cleaner compacts as soon as possible. */
async function compactedTopic(): Promise<string> {
  const topic = freshName("topic");
  const settings = {
    "cleanup.policy": "compact",
    "min.cleanable.dirty.ratio": "0.01",
    "segment.ms": "100",
    "max.compaction.lag.ms": "200",
    "delete.retention.ms": "100",
  };
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  await createTopics(kafka, [{ topic, numPartitions: 1, configEntries }]);
  return topic;
}

/** Counts fetches that return batches of a topic without a record. @returns a function that reads the count. */
function fetchesWithoutRecords(topic: string): () => number {
  repairFetch();
  const { decode } = fetchResponse;
  let count = 0;
  fetchResponse.decode = (bytes) => {
    const partitions = readFetchAnswer(bytes).topics.flatMap((each) => (each.topic === topic ? each.partitions : []));
    for (const { records } of partitions) {
      const batches = [...batchesOf(records)];
      if (batches.length > 0 && batches.every((batch) => batch.count === 0)) count++;
    }
    return decode(bytes);
  };
  onTestFinished(() => {
    fetchResponse.decode = decode;
  });
  return () => count;
}

brokerTest("a fetch of a batch that compaction emptied moves on", async () => {
  const topic = await compactedTopic();
  const count = fetchesWithoutRecords(topic);
  const idempotent = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
  const plain = kafka.producer();
  await Promise.all([idempotent.connect(), plain.connect()]);
  // The cleaner keeps the last batch of an idempotent producer for its sequence numbers, after its record is gone.
  await idempotent.send({ topic, messages: [{ key: "gone", value: null, partition: 0 }] });
  const put = (key: string, value: string | null) => plain.send({ topic, messages: [{ key, value, partition: 0 }] });
  // A record so large that a fetch from the beginning ends within it.
  const large = "x".repeat(300_000);
  const isRead = async () => {
    await put("roll", large);
    const reader = groupMember({ brokers, topic, groupId: freshName("group") });
    await reader.has(1);
    await reader.stop();
    return count();
  };
  await eventually(isRead, (fetches) => fetches > 0, "a fetch of empty batches alone", 120_000);
  await put("end", "end");
  await Promise.all([idempotent.disconnect(), plain.disconnect()]);

  const before = count();
  const reader = groupMember({ brokers, topic, groupId: freshName("group") });
  await eventually(
    () => reader.valuesOf().at(-1),
    (value) => value === "end",
    "the last record",
  );
  // The fetch occurs, but not forever.
  expect(count() - before).toBeGreaterThan(0);
  expect(count() - before).toBeLessThan(20);
});

brokerTest("what compaction took is passed over without a word", async () => {
  const topic = await compactedTopic();
  const producer = kafka.producer();
  await producer.connect();
  const put = (key: string, value: string | null) =>
    producer.send({ topic, acks: -1, messages: [{ key, value, partition: 0 }] });
  for (let i = 0; i < 20; i++) await put(i % 5 === 0 ? `kept ${i}` : "same", `${i}`);
  // A segment ends with the first record after its time, and only segments before the last are compacted.
  const offsets = async () => {
    await put("roll", null);
    const reader = groupMember({ brokers, topic, groupId: freshName("group") });
    await eventually(
      () => reader.taken.at(-1)?.value,
      (value) => reader.taken.length > 0 && value === undefined,
      "the last record",
    );
    await reader.stop();
    return reader.taken.map(({ offset }) => offset).filter((offset) => offset < 20);
  };
  const compacted = [0, 5, 10, 15, 19];
  await eventually(offsets, (found) => found.length === compacted.length, "the log cleaner's work");
  await producer.disconnect();

  const groupId = freshName("group");
  const reader = groupMember({ brokers, topic, groupId });
  await reader.has(6);
  expect(reader.taken.map(({ offset }) => offset).slice(0, 5)).toEqual(compacted);
  reader.settle(0, 0, 10, 15, 19);
  await untilCommitted(kafka, groupId, topic, [1]);
  reader.settle(0, 5);
  await untilCommitted(kafka, groupId, topic, [20]);
  expect(deletions(reader)).toEqual([]);
});

brokerTest(
  "a batch that unpacks to too much ends the consumer, and the message says where and what to do",
  async () => {
    registerCodecs();
    const groupId = freshName("group");
    const topic = await createTopic(kafka, { partitions: 2 });
    await produce(kafka, topic, ["before"], 1);
    const producer = kafka.producer();
    await producer.connect();
    const bomb = { value: Buffer.alloc(17 * 1024 * 1024), partition: 1 };
    await producer.send({ topic, acks: -1, compression: CompressionTypes.GZIP, messages: [bomb] });
    await producer.disconnect();
    await produce(kafka, topic, ["after"], 1);

    const reader = groupMember({ brokers, topic, groupId });
    await expect(reader.ended).rejects.toMatchObject({
      code: "CONSUMER_DEAD",
      message: expect.stringContaining(
        `a gzip batch unpacks to more than 16777216 bytes: topic ${topic}, partition 1, offsets 1 to 1; to go on, `,
      ),
    });
    await expect(reader.ended).rejects.toThrow(`--reset-offsets --to-offset 2 --topic ${topic}:1 --execute`);

    // The remedy in the operator's message.
    const admin = kafka.admin();
    await admin.connect();
    await admin.setOffsets({ groupId, topic, partitions: [{ partition: 1, offset: "2" }] });
    await admin.disconnect();
    const next = groupMember({ brokers, topic, groupId });
    await next.has(1);
    expect(next.valuesOf()).toEqual(["after"]);
  },
);
