import { Kafka } from "kafkajs";
import { expect, onTestFinished } from "vitest";
import { createTopics } from "../servers/create-topics.ts";
import { startKafka } from "../servers/kafka-cluster.ts";
import { clusterTest, ownBrokers } from "../servers/kafka-tests.ts";
import { freshName, produce, quiet } from "../servers/records.ts";
import { nodeOf, partitionsOf } from "../servers/spread-topic.ts";
import { BROKERS_MS, eventually } from "../support/eventually.ts";
import { groupMember, untilCommitted } from "../support/group-member.ts";

const TIMEOUT_MS = 240_000;
const cluster = ownBrokers(() => startKafka({ brokers: 3 }));
const kafka = () => new Kafka({ ...quiet, brokers: [...cluster().bootstrap] });
const TRUNCATED =
  "the new leader of a partition lacks records that were read: their verdicts stand, and what its log holds there is read";

type Member = ReturnType<typeof groupMember>;
const values = (what: string, count: number) => Array.from({ length: count }, (_, i) => `${what}${i}`);
const tellings = ({ log }: Member) => log.lines.filter(({ message }) => message === TRUNCATED);

/** A topic of two replicas that allows a leader with missing records, and its brokers; the first leads. */
async function uncleanTopic(): Promise<{ readonly topic: string; readonly leader: number; readonly follower: number }> {
  await Promise.all(cluster().nodes.map((node) => node.start()));
  const topic = freshName("topic");
  // The third broker keeps the controller quorum and the coordinator of the group.
  const [leader, follower] = [1, 2];
  const settings = { "unclean.leader.election.enable": "true", "min.insync.replicas": "1" };
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  await createTopics(kafka(), [
    { topic, replicaAssignment: [{ partition: 0, replicas: [leader, follower] }], configEntries },
  ]);
  await isLed(topic, leader, 2);
  return { topic, leader, follower };
}

/** Waits until this broker leads the topic's partition, with `inSync` replicas in sync. */
const isLed = (topic: string, leader: number, inSync: number) =>
  eventually(
    () => partitionsOf(kafka(), topic),
    (found) => found[0]?.leader === leader && found[0].isr.length === inSync,
    `broker ${leader} to lead with ${inSync} in sync`,
    BROKERS_MS,
  );

/**
 * The follower lags while the leader accepts `lost`, and then leads without these records. Then `fresh` are written to
 * it.
 */
async function elect(
  { topic, leader, follower }: Awaited<ReturnType<typeof uncleanTopic>>,
  lost: readonly string[],
  untilRead: () => Promise<unknown>,
  fresh: readonly string[],
): Promise<void> {
  await nodeOf(cluster(), follower).stop();
  await isLed(topic, leader, 1);
  await produce(kafka(), topic, lost);
  await untilRead();
  await nodeOf(cluster(), leader).kill();
  await nodeOf(cluster(), follower).start();
  await isLed(topic, follower, 1);
  if (fresh.length > 0) await produce(kafka(), topic, fresh);
  onTestFinished(() => nodeOf(cluster(), leader).start());
}

const has = (member: Member, wanted: readonly string[]) =>
  eventually(
    () => new Set(member.valuesOf()),
    (read) => wanted.every((value) => read.has(value)),
    `${wanted.at(0)} to ${wanted.at(-1)}`,
    90_000,
  );

clusterTest.each([
  { than: "longer", fresh: values("fresh", 10) },
  { than: "shorter", fresh: values("fresh", 2) },
])(
  "what a new leader holds in the place of records that were read is read, and nothing before it; its log is $than",
  async ({ fresh }) => {
    const groupId = freshName("group");
    const places = await uncleanTopic();
    const { topic } = places;
    await produce(kafka(), topic, values("kept", 5));
    const reader = groupMember({ brokers: cluster().bootstrap, topic, groupId, metadataMaxAgeMs: 2_000 });
    await has(reader, values("kept", 5));
    const lost = values("lost", 4);
    const untilRead = async () => {
      await has(reader, lost);
      reader.settle(0, ...[0, 1, 2, 3, 4, 5, 6, 7]);
      await untilCommitted(kafka(), groupId, topic, [8], BROKERS_MS);
    };
    await elect(places, lost, untilRead, fresh);
    await has(reader, fresh);
    // Work on a lost record ends. It must not complete the record that has its offset now.
    reader.settleEarlier(0, 8);
    expect(reader.valuesOf().filter((value) => value.startsWith("kept"))).toEqual(values("kept", 5));
    reader.settle(0, ...Array.from({ length: 5 + fresh.length }, (_, i) => i));
    await untilCommitted(kafka(), groupId, topic, [5 + fresh.length], BROKERS_MS);
    expect(tellings(reader)).toEqual([
      { level: "warn", message: TRUNCATED, fields: { topic, partition: 0, offset: 9, until: 5, from: 5 } },
    ]);
  },
  TIMEOUT_MS,
);

clusterTest(
  "a group that was away while a leader without its last records began goes on at the first that may differ",
  async () => {
    const groupId = freshName("group");
    const places = await uncleanTopic();
    const { topic } = places;
    await produce(kafka(), topic, values("kept", 5));
    const first = groupMember({ brokers: cluster().bootstrap, topic, groupId });
    await has(first, values("kept", 5));
    const lost = values("lost", 4);
    const untilRead = async () => {
      await has(first, lost);
      first.settle(0, ...Array.from({ length: 9 }, (_, i) => i));
      await untilCommitted(kafka(), groupId, topic, [9], BROKERS_MS);
      await first.stop();
    };
    await elect(places, lost, untilRead, ["fresh0", "fresh1"]);
    const second = groupMember({ brokers: cluster().bootstrap, topic, groupId });
    await has(second, ["fresh0", "fresh1"]);
    expect(second.valuesOf()).toEqual(["fresh0", "fresh1"]);
    expect(tellings(second)).toEqual([
      { level: "warn", message: TRUNCATED, fields: { topic, partition: 0, offset: 9, until: 5, from: 5 } },
    ]);
    second.settle(0, 5, 6);
    await untilCommitted(kafka(), groupId, topic, [7], BROKERS_MS);
  },
  TIMEOUT_MS,
);

clusterTest(
  "a leader that holds all that was read changes nothing",
  async () => {
    const groupId = freshName("group");
    const { topic, leader, follower } = await uncleanTopic();
    await produce(kafka(), topic, values("a", 5));
    const reader = groupMember({ brokers: cluster().bootstrap, topic, groupId });
    await has(reader, values("a", 5));
    await nodeOf(cluster(), leader).stop();
    await isLed(topic, follower, 1);
    await produce(kafka(), topic, values("b", 5));
    await has(reader, values("b", 5));
    expect(reader.valuesOf()).toEqual([...values("a", 5), ...values("b", 5)]);
    expect(tellings(reader)).toEqual([]);
    await nodeOf(cluster(), leader).start();
  },
  TIMEOUT_MS,
);
