import { Kafka } from "kafkajs";
import { expect } from "vitest";
import { brokerTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { createTopic, freshName, produce, quiet } from "../servers/records.ts";
import { eventually } from "../support/eventually.ts";
import { committedBy, groupMember, untilCommitted } from "../support/group-member.ts";

const brokers = sharedBootstrap;
const kafka = new Kafka({ ...quiet, brokers: [...brokers] });

brokerTest("what is settled in front is committed, and what is settled behind is told to the next member", async () => {
  const groupId = freshName("group");
  const topic = await createTopic(kafka);
  await produce(kafka, topic, ["a", "b", "c", "d"]);
  const first = groupMember({ brokers, topic, groupId });
  await first.has(4);
  first.settle(0, 0, 1, 3);
  await eventually(
    () => committedBy(kafka, groupId, topic),
    ([offset]) => offset === 2,
    "a commit at 2",
  );
  await first.stop();
  expect(await committedBy(kafka, groupId, topic)).toEqual([2]);

  const second = groupMember({ brokers, topic, groupId });
  await second.has(1);
  second.settle(0, 2);
  await untilCommitted(kafka, groupId, topic, [4]);
  expect(second.valuesOf()).toEqual(["c"]);
});

brokerTest("a full lane is read no further, and goes on when it has room", async () => {
  const topic = await createTopic(kafka);
  const reader = groupMember({
    brokers,
    topic,
    groupId: freshName("group"),
    bounds: { events: 2, span: 1_000, bytes: 1_000_000 },
  });
  await produce(kafka, topic, ["a", "b"]);
  await reader.has(2);
  await produce(kafka, topic, ["c"]);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(reader.valuesOf()).toEqual(["a", "b"]);

  reader.settle(0, 0);
  await reader.has(3);
  expect(reader.valuesOf()).toEqual(["a", "b", "c"]);
});

brokerTest("a tombstone, its key, a trace and a time come through", async () => {
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
  const reader = groupMember({ brokers, topic, groupId: freshName("group") });
  await reader.has(1);

  expect(reader.taken).toEqual([
    {
      topic,
      partition: 0,
      offset: 0,
      timestamp: 1_767_225_600_000,
      key: Buffer.from("k"),
      value: undefined,
      headers: { traceparent: "00-ab-cd-01" },
    },
  ]);
});

brokerTest(
  "a second member takes over what the first loses; work that goes on there commits nothing of it",
  async () => {
    const groupId = freshName("group");
    const topic = await createTopic(kafka, { partitions: 2 });
    await produce(kafka, topic, ["a0"], 0);
    await produce(kafka, topic, ["a1"], 1);
    const first = groupMember({ brokers, topic, groupId });
    await first.has(2);
    const second = groupMember({ brokers, topic, groupId });
    await second.has(1);
    const [moved] = second.taken;
    const [kept, lost] = moved?.partition === 0 ? [1, 0] : [0, 1];

    first.settle(kept, 0);
    first.settle(lost, 0);
    await eventually(
      () => committedBy(kafka, groupId, topic),
      (offsets) => offsets[kept] === 1,
      "a commit of the kept partition",
    );
    expect((await committedBy(kafka, groupId, topic))[lost]).toBe(-1);
    second.settle(lost, 0);
    await eventually(
      () => committedBy(kafka, groupId, topic),
      (offsets) => offsets[lost] === 1,
      "a commit by the new member",
    );
    expect(first.valuesOf().toSorted()).toEqual(["a0", "a1"]);
  },
);

brokerTest("what one member holds back and pauses is read by the next, and by itself when it comes back", async () => {
  const groupId = freshName("group");
  const topic = await createTopic(kafka, { partitions: 2 });
  const bounds = { events: 4, span: 1_000, bytes: 1_000_000 };
  await produce(kafka, topic, ["a0", "a1", "a2"], 0);
  await produce(kafka, topic, ["b0", "b1", "b2"], 1);
  const first = groupMember({ brokers, topic, groupId, bounds });
  await first.has(6);
  await produce(kafka, topic, ["a3"], 0);
  await produce(kafka, topic, ["b3"], 1);

  // The first member is full, so it paused both partitions. The second takes one partition over and reads it from the
  // commit.
  const second = groupMember({ brokers, topic, groupId, bounds });
  await second.has(4);
  const partition = second.taken[0]?.partition ?? 0;
  const letter = ["a", "b"][partition];
  expect(second.valuesOf()).toEqual([0, 1, 2, 3].map((i) => `${letter}${i}`));
  second.settle(partition, 0, 1, 2);
  await eventually(
    () => committedBy(kafka, groupId, topic),
    (offsets) => offsets[partition] === 3,
    "a commit by the second",
  );
  await second.stop();

  // The partition returns to the first member. Its earlier work there commits nothing, and the last record is present.
  await first.joined(3);
  first.settle(partition, 0, 1, 2);
  first.settle(1 - partition, 0, 1, 2);
  await eventually(
    () => first.valuesOf(),
    (values) => values.includes("a3") && values.includes("b3"),
    "the last records of both",
  );
  expect((await committedBy(kafka, groupId, topic))[partition]).toBe(3);
  first.settle(0, 3);
  first.settle(1, 3);
  await untilCommitted(kafka, groupId, topic, [4, 4]);
  const again = Map.groupBy(first.taken, (record) => record.partition)
    .get(partition)
    ?.map(({ offset }) => offset);
  expect(again).toEqual([0, 1, 2, 3]);
});

brokerTest(
  "a partition that is lost and regained is read from its commit; the work of before commits nothing",
  async () => {
    const groupId = freshName("group");
    const topic = await createTopic(kafka, { partitions: 2 });
    await produce(kafka, topic, ["a0", "a1"], 0);
    await produce(kafka, topic, ["b0", "b1"], 1);
    const first = groupMember({ brokers, topic, groupId });
    await first.has(4);
    const second = groupMember({ brokers, topic, groupId });
    await second.has(2);
    const partition = second.taken[0]?.partition ?? 0;
    await second.stop();
    await first.joined(3);
    await first.has(6);
    expect(first.taken.filter((record) => record.partition === partition).map(({ offset }) => offset)).toEqual([
      0, 1, 0, 1,
    ]);

    first.settleEarlier(partition, 0, 1);
    first.settle(1 - partition, 0, 1);
    await eventually(
      () => committedBy(kafka, groupId, topic),
      (offsets) => offsets[1 - partition] === 2,
      "a commit of the partition that stayed",
    );
    expect((await committedBy(kafka, groupId, topic))[partition]).toBe(-1);
    first.settle(partition, 0, 1);
    await untilCommitted(kafka, groupId, topic, [2, 2]);
  },
);

brokerTest("a partition that is added while the group runs is read from its first record", async () => {
  const groupId = freshName("group");
  const topic = await createTopic(kafka);
  const reader = groupMember({ brokers, topic, groupId, metadataMaxAgeMs: 500 });
  await produce(kafka, topic, ["before"], 0);
  await reader.has(1);

  const admin = kafka.admin();
  await admin.connect();
  await admin.createPartitions({ topicPartitions: [{ topic, count: 2 }] });
  await admin.disconnect();
  await produce(kafka, topic, ["added"], 1);
  await reader.has(2);
  reader.settle(0, 0);
  reader.settle(1, 0);
  await untilCommitted(kafka, groupId, topic, [1, 1]);
  expect(reader.valuesOf()).toEqual(["before", "added"]);
});
