import { Kafka, type Producer } from "kafkajs";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { kafkaClient } from "../../src/adapters/kafka/kafka-client.ts";
import { PartitionSender } from "../../src/adapters/kafka/partition-sender.ts";
import { systemClock } from "../../src/kernel/system-clock.ts";
import { OrderedPublisher } from "../../src/worker/group/ordered-publisher.ts";
import { FakeLog } from "../fakes/fake-log.ts";
import { type KafkaCluster, startKafka } from "../servers/kafka-cluster.ts";
import type { KafkaNode } from "../servers/kafka-node.ts";
import { clusterTest, startsOwnBrokers } from "../servers/kafka-tests.ts";
import { createTopic, freshName, produce, quiet } from "../servers/records.ts";
import { readUntil } from "../servers/weir-topics.ts";
import { BROKERS_MS, eventually } from "../support/eventually.ts";
import { committedBy, groupMember, untilCommitted } from "../support/group-member.ts";

const PARTITIONS = 6;
const TIMEOUT_MS = 240_000;
let cluster: KafkaCluster;
let kafka: Kafka;

beforeAll(async () => {
  if (!startsOwnBrokers) return;
  cluster = await startKafka({ brokers: 3 });
  kafka = new Kafka({ ...quiet, brokers: [...cluster.bootstrap] });
}, TIMEOUT_MS);
afterAll(() => cluster?.close());

/** A topic on three brokers that all run and are in sync. */
async function spreadTopic(): Promise<string> {
  await Promise.all(cluster.nodes.map((node) => node.start()));
  // While topics of the test before have no leader, kafkajs refuses to make another.
  const made = () => createTopic(kafka, { partitions: PARTITIONS }).catch(() => undefined);
  const topic = (await eventually(made, (name) => name !== undefined, "a new topic", BROKERS_MS)) ?? "";
  await eventually(
    () => partitionsOf(topic),
    (partitions) => partitions.length === PARTITIONS && partitions.every(({ isr }) => isr.length === 3),
    "all replicas in sync",
    BROKERS_MS,
  );
  return topic;
}

async function partitionsOf(topic: string) {
  const admin = kafka.admin({ retry: { retries: 0 } });
  try {
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    return topics[0]?.partitions ?? [];
  } catch {
    return [];
  } finally {
    await admin.disconnect();
  }
}

function nodeOf(id: number | undefined): KafkaNode {
  const node = cluster.nodes[(id ?? 0) - 1];
  if (node === undefined) throw new Error(`no broker ${id}`);
  return node;
}

const leaderOf = async (topic: string, partition: number) =>
  (await partitionsOf(topic)).find(({ partitionId }) => partitionId === partition)?.leader;

/** A group's coordinator leads the partition of the offsets' topic that Java's hash of its name falls on. */
async function coordinatorOf(groupId: string): Promise<number | undefined> {
  const offsets = "__consumer_offsets";
  let hash = 0;
  for (const character of groupId) hash = (Math.imul(31, hash) + character.charCodeAt(0)) | 0;
  return leaderOf(offsets, (hash & 0x7fffffff) % (await partitionsOf(offsets)).length);
}

/** Writes to every partition in turn until it is told to stop; a send that fails is made again. */
function keepWriting(topic: string): () => Promise<number> {
  let isDone = false;
  let written = 0;
  const write = async () => {
    const producer: Producer = kafka.producer({ retry: { retries: 20 } });
    await producer.connect();
    while (!isDone) {
      const partition = written % PARTITIONS;
      const sent = await producer.send({ topic, acks: -1, messages: [{ value: `${written}`, partition }] }).then(
        () => true,
        () => false,
      );
      if (sent) written++;
    }
    await producer.disconnect();
  };
  const ended = write();
  const stop = async () => {
    isDone = true;
    await ended;
    return written;
  };
  onTestFinished(async () => void (await stop()));
  return stop;
}

clusterTest(
  "a fetch that began before a leader moved moves no watermark past what is in work",
  async () => {
    const topic = await spreadTopic();
    const groupId = freshName("group");
    const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
    for (const partition of partitions) await produce(kafka, topic, ["held"], partition);
    const stopWriting = keepWriting(topic);
    const member = groupMember({ brokers: cluster.bootstrap, topic, groupId });
    await member.has(100);
    const settleLater = () => {
      for (const { partition, offset } of member.taken) if (offset > 0) member.settle(partition, offset);
    };
    const timer = setInterval(settleLater, 20);
    onTestFinished(() => clearInterval(timer));

    const admin = kafka.admin();
    await admin.connect();
    for (const leader of [1, 2, 3, 1]) {
      await admin.alterPartitionReassignments({
        topics: [{ topic, partitionAssignment: [{ partition: 0, replicas: [leader] }] }],
      });
      await member.has(member.taken.length + 200);
      expect(await committedBy(kafka, groupId, topic)).toEqual(partitions.map(() => -1));
    }
    await admin.disconnect();

    await stopWriting();
    const written = await readUntil(kafka, topic, untilQuiet(), "all that was written");
    const ends = partitions.map((partition) => written.filter((record) => record.partition === partition).length);
    await eventually(
      () => new Set(member.taken.map(({ partition, offset }) => `${partition}/${offset}`)).size,
      (count) => count === written.length,
      "every record taken in",
    );
    settleLater();
    for (const partition of partitions) member.settle(partition, 0);
    await untilCommitted(kafka, groupId, topic, ends);
  },
  TIMEOUT_MS,
);

/** Whether no record came for a second. */
function untilQuiet(): (records: readonly unknown[]) => boolean {
  let [count, since] = [-1, 0];
  return ({ length }) => {
    if (length !== count) [count, since] = [length, performance.now()];
    return performance.now() - since > 1_000;
  };
}

clusterTest(
  "every record that was acknowledged while leaders were killed is there, in order, but for batches that come twice",
  async () => {
    const topic = await spreadTopic();
    const log = new FakeLog();
    const stopping = new AbortController();
    const connection = { brokers: cluster.bootstrap, clientId: "weir-test" };
    const sender = new PartitionSender({
      kafka: kafkaClient(connection, log),
      log,
      partitions: new Map([[topic, PARTITIONS]]),
    });
    await sender.start();
    onTestFinished(() => sender.stop());
    const publisher = new OrderedPublisher({
      sender,
      clock: systemClock,
      random: Math.random,
      log,
      maxBytes: 1_000_000,
      signal: stopping.signal,
    });
    const acknowledged = new Map<string, number>();
    const publishing: Promise<void>[] = [];
    let published = 0;
    const publish = () => {
      const value = String(published++);
      const record = { topic, key: `key ${value}`, value: Buffer.from(value), headers: {} };
      const partition = sender.partitionOf(topic, record.key);
      publishing.push(publisher.publish(record).then(() => void acknowledged.set(value, partition)));
    };
    const timer = setInterval(() => {
      for (let i = 0; i < 10; i++) publish();
    }, 5);
    onTestFinished(() => clearInterval(timer));

    for (let kill = 0; kill < 2; kill++) {
      await eventually(
        () => acknowledged.size,
        (size) => size > published - 1_000 && size > 300 * (kill + 1),
        "sends under way",
      );
      const leader = nodeOf(await leaderOf(topic, kill));
      await leader.kill();
      await eventually(
        () => publisher.waiting,
        (waiting) => waiting > 100,
        "sends that wait for a leader",
      );
      await leader.start();
    }
    clearInterval(timer);
    await Promise.all(publishing);

    expect(acknowledged.size).toBe(published);
    const seen = new Set<string>();
    const inOrder = (records: readonly { readonly partition: number; readonly value: string }[]) => {
      const firsts = Map.groupBy(
        records.filter(
          ({ partition, value }) => !seen.has(`${partition} ${value}`) && seen.add(`${partition} ${value}`),
        ),
        ({ partition }) => partition,
      );
      return new Map(Array.from(firsts, ([partition, each]) => [partition, each.map(({ value }) => value)]));
    };
    const found = inOrder(
      await readUntil(kafka, topic, (records) => new Set(records.map(({ value }) => value)).size >= published, "all"),
    );
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const expected = Array.from({ length: published }, (_, i) => String(i)).filter(
        (value) => acknowledged.get(value) === partition,
      );
      expect(found.get(partition)).toEqual(expected);
    }
    expect(log.messages("warn").length).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

clusterTest(
  "a group goes on reading and committing when the broker that keeps it is killed",
  async () => {
    const topic = await spreadTopic();
    const groupId = freshName("group");
    const member = groupMember({ brokers: cluster.bootstrap, topic, groupId });
    await produce(kafka, topic, ["before"], 0);
    await member.has(1);
    member.settle(0, 0);
    await untilCommitted(kafka, groupId, topic, [1, -1, -1, -1, -1, -1]);

    const coordinator = await coordinatorOf(groupId);
    await nodeOf(coordinator).kill();
    await eventually(
      () => coordinatorOf(groupId),
      (now) => now !== undefined && now > 0 && now !== coordinator,
      "another coordinator",
      BROKERS_MS,
    );
    await eventually(
      () => partitionsOf(topic),
      ({ length }) => length === PARTITIONS,
      "a leader of every partition",
      BROKERS_MS,
    );
    await produce(kafka, topic, ["after"], 0);
    const soon = () =>
      eventually(
        () => ({ values: member.valuesOf(), log: member.log.messages("warn").slice(-4) }),
        ({ values }) => values.includes("after"),
        "the record behind the commit",
        BROKERS_MS,
      );
    await soon();
    member.settle(0, 1);
    await untilCommitted(kafka, groupId, topic, [2, -1, -1, -1, -1, -1], BROKERS_MS);
    expect(member.valuesOf()).toEqual(["before", "after"]);

    await nodeOf(coordinator).start();
    await produce(kafka, topic, ["later"], 0);
    await member.has(3);
    member.settle(0, 2);
    await untilCommitted(kafka, groupId, topic, [3, -1, -1, -1, -1, -1]);
    await member.stop();
  },
  TIMEOUT_MS,
);
