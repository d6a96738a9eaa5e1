import { Kafka } from "kafkajs";
import { describe, expect } from "vitest";
import { steadyAssigner } from "../../src/adapters/kafka/consumer/steady-assigner.ts";
import { decodeCommitMetadata } from "../../src/adapters/kafka/offsets/commit-metadata.ts";
import { brokerTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { createTopic, freshName, produce, quiet } from "../servers/records.ts";
import { recreateTopic } from "../servers/recreate-topic.ts";
import { eventually } from "../support/eventually.ts";
import { groupMember, untilCommitted } from "../support/group-member.ts";

const brokers = sharedBootstrap;
const kafka = new Kafka({ ...quiet, brokers: [...brokers] });
const TIMEOUT_MS = 120_000;

type Member = ReturnType<typeof groupMember>;

const RECREATED = "the topic was made anew under its name: it is read from its first record on";
const CUT = "the log ends before what was read: it is read again from its first record on";
const cuts = ({ log }: Member) => log.lines.filter(({ message }) => message === CUT);
const tellings = ({ log }: Member) => log.lines.filter(({ message }) => message === RECREATED);
const values = (what: string, count: number) => Array.from({ length: count }, (_, i) => `${what}${i}`);
const offsets = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Waits until every value of the new topic was delivered. */
const untilRead = (member: Member, wanted: readonly string[]) =>
  eventually(
    () => new Set(member.valuesOf()),
    (read) => wanted.every((value) => read.has(value)),
    `all of ${wanted.length} new values`,
    90_000,
  );

/** The topic id in a group's commit. */
async function committedId(groupId: string, topic: string): Promise<string | undefined> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
    return decodeCommitMetadata(found?.partitions[0]?.metadata ?? "").topicId;
  } finally {
    await admin.disconnect();
  }
}

/** Commits as another member would, with its own metadata. */
async function commitAs(groupId: string, topic: string, offset: number, metadata: string): Promise<void> {
  const consumer = kafka.consumer({ groupId, sessionTimeout: 6_000, partitionAssigners: [steadyAssigner] });
  const joined = Promise.withResolvers<void>();
  consumer.on(consumer.events.GROUP_JOIN, () => joined.resolve());
  await consumer.connect();
  await consumer.subscribe({ topic });
  await consumer.run({ autoCommit: false, eachMessage: async () => undefined });
  await joined.promise;
  // Without a pause the consumer reads on from its commit, and kafkajs commits another offset when there is no record.
  consumer.pause([{ topic }]);
  await consumer.commitOffsets([{ topic, partition: 0, offset: String(offset), metadata }]);
  await consumer.disconnect();
}

describe("a topic that is deleted and recreated under its name", () => {
  brokerTest(
    "while it is read: every record of the new one is delivered, also where its end lies past the old place",
    async () => {
      const groupId = freshName("group");
      const topic = await createTopic(kafka, { partitions: 2 });
      await produce(kafka, topic, values("a", 6), 0);
      await produce(kafka, topic, values("b", 3), 1);
      const reader = groupMember({ brokers, topic, groupId, metadataMaxAgeMs: 2_000 });
      await reader.has(9);
      reader.settle(0, 0, 1, 2);
      reader.settle(1, 0, 1, 2);
      await untilCommitted(kafka, groupId, topic, [3, 3]);

      await recreateTopic(kafka, topic, 2);
      await produce(kafka, topic, values("c", 8), 0);
      await produce(kafka, topic, values("d", 2), 1);
      // Work on records of the old topic ends only now, and must not be committed in the new one.
      reader.settle(0, 3, 4, 5);
      await untilRead(reader, [...values("c", 8), ...values("d", 2)]);
      reader.settle(0, ...offsets(8));
      reader.settle(1, ...offsets(2));
      await untilCommitted(kafka, groupId, topic, [8, 2]);
      expect(new Set(tellings(reader).map(({ fields }) => fields?.["partition"]))).toEqual(new Set([0, 1]));
    },
    TIMEOUT_MS,
  );

  brokerTest(
    "while its partition is paused: it is noticed by the id alone",
    async () => {
      const groupId = freshName("group");
      const topic = await createTopic(kafka);
      await produce(kafka, topic, values("a", 3));
      const bounds = { events: 3, span: 1_000, bytes: 1_000_000 };
      const reader = groupMember({ brokers, topic, groupId, bounds, metadataMaxAgeMs: 2_000 });
      await reader.has(3);
      await recreateTopic(kafka, topic);
      await produce(kafka, topic, values("c", 8));
      await eventually(
        () => tellings(reader).length,
        (times) => times > 0,
        "that it is told",
        60_000,
      );
      reader.settle(0, ...offsets(3));
      for (let i = 0; i < 8; i++) {
        await eventually(
          () => reader.valuesOf(),
          (read) => read.includes(`c${i}`),
          `c${i}`,
        );
        reader.settle(0, ...offsets(8));
      }
      await untilCommitted(kafka, groupId, topic, [8]);
    },
    TIMEOUT_MS,
  );

  brokerTest(
    "while nobody reads it: the next member begins at its first record",
    async () => {
      const groupId = freshName("group");
      const topic = await createTopic(kafka);
      await produce(kafka, topic, values("a", 6));
      const first = groupMember({ brokers, topic, groupId });
      await first.has(6);
      first.settle(0, ...offsets(6));
      await untilCommitted(kafka, groupId, topic, [6]);
      const oldId = await committedId(groupId, topic);
      expect(oldId).toMatch(/^[\w-]{22}$/);
      await first.stop();
      await recreateTopic(kafka, topic);
      await produce(kafka, topic, values("c", 8));
      // Kafka deletes the group's commit with the topic. A member that does not know this commits it again.
      await commitAs(groupId, topic, 6, `t1:${oldId}`);

      const second = groupMember({ brokers, topic, groupId });
      await untilRead(second, values("c", 8));
      second.settle(0, ...offsets(8));
      await untilCommitted(kafka, groupId, topic, [8]);
      expect(second.valuesOf()).toEqual(values("c", 8));
      const newId = await committedId(groupId, topic);
      expect(newId).not.toBe(oldId);
      expect(tellings(second)).toEqual([
        { level: "warn", message: RECREATED, fields: { topic, partition: 0, oldId, newId, offset: 6, from: 0 } },
      ]);
      await second.stop();

      // A commit without a topic id, as in earlier versions, is trusted.
      await commitAs(groupId, topic, 5, "");
      const third = groupMember({ brokers, topic, groupId });
      await third.has(3);
      expect(third.valuesOf()).toEqual(["c5", "c6", "c7"]);
    },
    TIMEOUT_MS,
  );

  brokerTest(
    "a commit past the end of its log is not believed for ever: it is read from its first record on",
    async () => {
      const groupId = freshName("group");
      const topic = await createTopic(kafka);
      await produce(kafka, topic, values("a", 4));
      await commitAs(groupId, topic, 9, "");
      const reader = groupMember({ brokers, topic, groupId });
      await untilRead(reader, values("a", 4));
      expect(cuts(reader)).toEqual([
        { level: "warn", message: CUT, fields: expect.objectContaining({ topic, partition: 0, offset: 9, from: 0 }) },
      ]);
    },
    TIMEOUT_MS,
  );
});
