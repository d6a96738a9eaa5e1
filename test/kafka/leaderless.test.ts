import { Kafka } from "kafkajs";
import { expect, onTestFinished } from "vitest";
import { kafkaClient } from "../../src/adapters/kafka/client/kafka-client.ts";
import { groupOffsets } from "../../src/adapters/kafka/offsets/group-offsets.ts";
import { PartitionSender } from "../../src/adapters/kafka/producer/partition-sender.ts";
import { gatherTopicFacts } from "../../src/adapters/kafka/topics/topic-facts.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { quietLog } from "../../src/kernel/log.ts";
import { Verdict } from "../../src/messages/verdict.ts";
import { OrderedPublisher } from "../../src/worker/consumer/output/ordered-publisher.ts";
import { FakeLog } from "../fakes/fake-log.ts";
import { createTopics } from "../servers/create-topics.ts";
import { startKafka } from "../servers/kafka-cluster.ts";
import { clusterTest, ownBrokers } from "../servers/kafka-tests.ts";
import { freshName, produce, quiet } from "../servers/records.ts";
import { nodeOf } from "../servers/spread-topic.ts";
import { readUntil, weirTopics } from "../servers/weir-topics.ts";
import { BROKERS_MS, eventually } from "../support/eventually.ts";
import { groupMember, untilCommitted } from "../support/group-member.ts";
import { served } from "../support/served.ts";
import { start } from "../support/weir.ts";

const TIMEOUT_MS = 240_000;
const cluster = ownBrokers(() => startKafka({ brokers: 3 }));
const kafka = () => new Kafka({ ...quiet, brokers: [...cluster().bootstrap] });
const GONE = "the partition has no leader: Weir skips the partition until a leader exists";
const BACK = "the partition has a leader again: Weir reads the partition";
const HELD = 2;

/** A topic of two partitions with one replica each. The second replica is on a broker that a test stops. */
async function topicOnTwo(): Promise<string> {
  await Promise.all(cluster().nodes.map((node) => node.start()));
  const topic = freshName("topic");
  const replicaAssignment = [1, HELD].map((broker, partition) => ({ partition, replicas: [broker] }));
  const configEntries = [{ name: "min.insync.replicas", value: "1" }];
  await createTopics(kafka(), [{ topic, replicaAssignment, configEntries }]);
  onTestFinished(() => nodeOf(cluster(), HELD).start());
  return topic;
}

/** Runs the query over a separate connection. */
async function asked<T>(ask: (admin: ReturnType<Kafka["admin"]>) => Promise<T>): Promise<T> {
  const admin = kafkaClient({ brokers: cluster().bootstrap, clientId: "weir-test" }, quietLog).admin();
  await admin.connect();
  return ask(admin).finally(() => admin.disconnect());
}

const leaderless = async (topic: string) => {
  const facts = (await asked((admin) => gatherTopicFacts(admin, [topic]))).get(topic);
  return facts?.state === "there" ? facts.leaderless : undefined;
};

/** Stops the broker of the second partition. */
async function takeAway(topic: string): Promise<void> {
  await nodeOf(cluster(), HELD).stop();
  const isGone = (found: readonly number[] | undefined) => found?.join() === "1";
  await eventually(() => leaderless(topic).catch(() => undefined), isGone, "a partition without a leader", BROKERS_MS);
}

const said = (log: FakeLog, wanted: string) => log.lines.filter(({ message }) => message === wanted);
const has = (member: ReturnType<typeof groupMember>, wanted: readonly string[]) =>
  eventually(
    () => member.valuesOf(),
    (read) => wanted.every((value) => read.includes(value)),
    wanted.join(),
    90_000,
  );

clusterTest(
  "a group that begins while a partition has no leader reads the others, and that one when it has a leader again",
  async () => {
    const topic = await topicOnTwo();
    const groupId = freshName("group");
    await produce(kafka(), topic, ["a0", "a1"], 0);
    await produce(kafka(), topic, ["b0"], 1);
    await takeAway(topic);
    const reader = groupMember({ brokers: cluster().bootstrap, topic, groupId });
    await has(reader, ["a0", "a1"]);
    reader.settle(0, 0, 1);
    await eventually(
      () => said(reader.log, GONE),
      (lines) => lines.length > 0,
      "a warning",
    );
    expect(said(reader.log, GONE)).toEqual([{ level: "warn", message: GONE, fields: { topic, partition: 1 } }]);
    // The group's offsets in the whole topic are unknown, and a caller that needs all of them gets an error.
    await expect(asked((admin) => groupOffsets(admin, groupId, topic))).rejects.toThrow(
      `${topic} has 1 partition without a leader: 1`,
    );

    await nodeOf(cluster(), HELD).start();
    await has(reader, ["b0"]);
    reader.settle(1, 0);
    await untilCommitted(kafka(), groupId, topic, [2, 1], BROKERS_MS);
    expect(reader.valuesOf().toSorted()).toEqual(["a0", "a1", "b0"]);
    expect(said(reader.log, BACK)).toEqual([{ level: "warn", message: BACK, fields: { topic, partition: 1 } }]);
    expect(reader.log.messages("error")).toEqual([]);
  },
  TIMEOUT_MS,
);

clusterTest(
  "a partition that loses its leader while it is read stops no other, nor a group that begins anew meanwhile",
  async () => {
    const topic = await topicOnTwo();
    const groupId = freshName("group");
    const reader = groupMember({ brokers: cluster().bootstrap, topic, groupId, metadataMaxAgeMs: 2_000 });
    await produce(kafka(), topic, ["b0"], 1);
    await has(reader, ["b0"]);
    await takeAway(topic);
    await produce(kafka(), topic, ["a0"], 0);
    await has(reader, ["a0"]);
    const second = groupMember({ brokers: cluster().bootstrap, topic, groupId });
    await second.joined(1);
    await produce(kafka(), topic, ["a1"], 0);
    await eventually(
      () => [...reader.valuesOf(), ...second.valuesOf()],
      (read) => read.includes("a1"),
      "a1",
      90_000,
    );
    await nodeOf(cluster(), HELD).start();
    await eventually(
      () =>
        produce(kafka(), topic, ["b1"], 1).then(
          () => true,
          () => false,
        ),
      (isWritten) => isWritten,
      "b1 to be written",
      BROKERS_MS,
    );
    await eventually(
      () => [...reader.valuesOf(), ...second.valuesOf()],
      (read) => read.includes("b1"),
      "b1",
      90_000,
    );
  },
  TIMEOUT_MS,
);

clusterTest(
  "a worker starts while a partition of an input topic has no leader, and the doctor names it",
  async () => {
    const live = await topicOnTwo();
    const topics = await weirTopics(kafka(), cluster().bootstrap, 2);
    await takeAway(live);
    const env = { ...topics.env, TOPICS_REALTIME: live, ...(await served()) };
    const { status, stdout } = await start(["doctor"], env).ended;
    expect(stdout).toContain("has 1 partition without a leader (1): nothing is read or written there");
    expect(status).not.toBe(0);
    const planned = await start(["plan", "--topic", live], env).ended;
    expect(planned.stdout + planned.stderr).toContain(`${live} has 1 partition without a leader: 1`);
    expect(planned.status).not.toBe(0);

    const worker = start(["worker"], env);
    const address = (digit: string) => `0x${digit.repeat(40)}`;
    const subject = { type: "address", chain_id: "1", address: address("a"), user_addresses: [address("b")] };
    await produce(kafka(), live, [JSON.stringify({ id: "one", ...subject })], 0);
    const verdicts = await readUntil(kafka(), topics.verdicts, ({ length }) => length > 0, "a verdict");
    expect(Verdict.parse(JSON.parse(verdicts[0]?.value ?? "")).event_id).toBe("one");
    worker.child.kill("SIGTERM");
    const ended = await worker.ended;
    expect(ended.status).toBe(0);
  },
  TIMEOUT_MS,
);

clusterTest(
  "records for a partition without a leader wait, and others are written",
  async () => {
    const topic = await topicOnTwo();
    await takeAway(topic);
    const log = new FakeLog();
    const stopping = new AbortController();
    const sender = new PartitionSender({
      clock: systemClock,
      kafka: kafkaClient({ brokers: cluster().bootstrap, clientId: "weir-test" }, log),
      log,
      partitions: new Map([[topic, 2]]),
    });
    await sender.start();
    onTestFinished(() => sender.stop());
    const bounds = { maxBytes: 1_000_000, maxRecordBytes: 1_000_000 };
    const publisher = new OrderedPublisher({
      sender,
      clock: systemClock,
      random: Math.random,
      log,
      ...bounds,
      signal: stopping.signal,
    });
    onTestFinished(() => stopping.abort());
    const written: number[] = [];
    const keys = Array.from({ length: 20 }, (_, i) => `key ${i}`);
    const publishing = keys.map(async (key) => {
      await publisher.publish({ topic, key, value: key, headers: {} });
      written.push(sender.partitionOf(topic, key));
    });
    const led = keys.filter((key) => sender.partitionOf(topic, key) === 0).length;
    expect([led > 0, led < keys.length]).toEqual([true, true]);
    await eventually(
      () => written.length,
      (count) => count === led,
      "all records of the partition that has a leader",
      BROKERS_MS,
    );
    expect(new Set(written)).toEqual(new Set([0]));
    await nodeOf(cluster(), HELD).start();
    await Promise.all(publishing);
    expect(written).toHaveLength(keys.length);
  },
  TIMEOUT_MS,
);
