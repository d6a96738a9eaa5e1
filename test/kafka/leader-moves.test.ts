import { Kafka, type Producer } from "kafkajs";
import { expect, onTestFinished } from "vitest";
import { kafkaClient } from "../../src/adapters/kafka/client/kafka-client.ts";
import { PartitionSender } from "../../src/adapters/kafka/producer/partition-sender.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { OrderedPublisher } from "../../src/worker/consumer/output/ordered-publisher.ts";
import { FakeLog } from "../fakes/fake-log.ts";
import { startKafka } from "../servers/kafka-cluster.ts";
import { clusterTest, ownBrokers } from "../servers/kafka-tests.ts";
import { freshName, produce, quiet } from "../servers/records.ts";
import { leaderOf, nodeOf, spreadTopic } from "../servers/spread-topic.ts";
import { readUntil } from "../servers/weir-topics.ts";
import { eventually } from "../support/eventually.ts";
import { committedBy, groupMember, untilCommitted } from "../support/group-member.ts";

const PARTITIONS = 6;
const TIMEOUT_MS = 240_000;
const cluster = ownBrokers(() => startKafka({ brokers: 3 }));
const kafka = () => new Kafka({ ...quiet, brokers: [...cluster().bootstrap] });

/** Writes to every partition in turn until a stop, and repeats failed sends. */
function keepWriting(topic: string): () => Promise<number> {
  let isDone = false;
  let written = 0;
  const write = async () => {
    const producer: Producer = kafka().producer({ retry: { retries: 20 } });
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
    const topic = await spreadTopic(cluster(), kafka(), PARTITIONS);
    const groupId = freshName("group");
    const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
    for (const partition of partitions) await produce(kafka(), topic, ["held"], partition);
    const stopWriting = keepWriting(topic);
    const member = groupMember({ brokers: cluster().bootstrap, topic, groupId });
    await member.has(100);
    const settleLater = () => {
      for (const { partition, offset } of member.taken) if (offset > 0) member.settle(partition, offset);
    };
    const timer = setInterval(settleLater, 20);
    onTestFinished(() => clearInterval(timer));

    const admin = kafka().admin();
    await admin.connect();
    for (const leader of [1, 2, 3, 1]) {
      await admin.alterPartitionReassignments({
        topics: [{ topic, partitionAssignment: [{ partition: 0, replicas: [leader] }] }],
      });
      await member.has(member.taken.length + 200);
      // The record at 0 is in flight, so a commit, if any, lies before it.
      expect(Math.max(...(await committedBy(kafka(), groupId, topic)))).toBeLessThanOrEqual(0);
    }
    await admin.disconnect();

    await stopWriting();
    const written = await readUntil(kafka(), topic, untilQuiet(), "all that was written");
    const ends = partitions.map((partition) => written.filter((record) => record.partition === partition).length);
    await eventually(
      () => new Set(member.taken.map(({ partition, offset }) => `${partition}/${offset}`)).size,
      (count) => count === written.length,
      "every record taken in",
    );
    settleLater();
    for (const partition of partitions) member.settle(partition, 0);
    await untilCommitted(kafka(), groupId, topic, ends);
  },
  TIMEOUT_MS,
);

/** Whether no record arrived for a second. */
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
    const topic = await spreadTopic(cluster(), kafka(), PARTITIONS);
    const log = new FakeLog();
    const stopping = new AbortController();
    const connection = { brokers: cluster().bootstrap, clientId: "weir-test" };
    const sender = new PartitionSender({
      clock: systemClock,
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
      maxRecordBytes: 1_000_000,
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
      const leader = nodeOf(cluster(), await leaderOf(kafka(), topic, kill));
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
      await readUntil(kafka(), topic, (records) => new Set(records.map(({ value }) => value)).size >= published, "all"),
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
