import Encoder from "kafkajs/src/protocol/encoder.js";
import requests from "kafkajs/src/protocol/requests/index.js";
import metadata from "kafkajs/src/protocol/requests/metadata/index.js";
import { beforeEach, describe, expect, test } from "vitest";
import { repairMetadata } from "../../../../../src/adapters/kafka/kafkajs-patches/metadata-repair.ts";
import { LeaderTracker } from "../../../../../src/adapters/kafka/topics/leader-tracker.ts";
import { TopicMetadataCache } from "../../../../../src/adapters/kafka/topics/topic-metadata-cache.ts";

const UNKNOWN_TOPIC = 3;
const LEADER_NOT_AVAILABLE = 5;
const KAFKA_STORAGE_ERROR = 56;
const LISTENER_NOT_FOUND = 72;
const ID = Buffer.from("0123456789abcdef");
const noTags = (encoder: Encoder) => encoder.writeUVarIntBytes();

interface Topic {
  readonly name: string;
  readonly error?: number;
  readonly id?: Buffer;
  readonly partitionErrors?: readonly number[];
}

/** An answer of version 10 in a broker's format. */
function answerOf(topics: readonly Topic[]): Buffer {
  const int32s = (values: readonly number[]) => values.map((value) => new Encoder().writeInt32(value));
  const partition = (error: number, number: number) =>
    noTags(
      new Encoder()
        .writeInt16(error)
        .writeInt32(number)
        .writeInt32(1)
        .writeInt32(7)
        .writeUVarIntArray(int32s([1, 2]))
        .writeUVarIntArray(int32s([1]))
        .writeUVarIntArray(int32s([2])),
    );
  const topic = ({ name, error = 0, id = ID, partitionErrors = [0] }: Topic) =>
    noTags(
      new Encoder()
        .writeInt16(error)
        .writeUVarIntString(name)
        .writeBuffer(id)
        .writeBoolean(false)
        .writeUVarIntArray(partitionErrors.map(partition))
        .writeInt32(0),
    );
  const broker = noTags(new Encoder().writeInt32(1).writeUVarIntString("a").writeInt32(9092).writeUVarIntString(null));
  return noTags(
    noTags(new Encoder())
      .writeInt32(250)
      .writeUVarIntArray([broker])
      .writeUVarIntString("cluster")
      .writeInt32(1)
      .writeUVarIntArray(topics.map(topic)),
  ).buffer;
}

let seen: TopicMetadataCache;

beforeEach(() => {
  seen = new TopicMetadataCache();
  repairMetadata(undefined, seen);
});

async function read(topics: readonly Topic[]) {
  const { response } = metadata.protocol({ version: 10 })({ topics: [] });
  return response.parse(await response.decode(answerOf(topics)));
}

test("a request names topics without ids, or selects all topics", async () => {
  expect(Math.max(...metadata.versions.map(Number))).toBe(10);
  const bytesOf = async (topics: readonly string[]) => {
    const { request } = metadata.protocol({ version: 10 })({ topics, allowAutoTopicCreation: false });
    return [request.apiVersion, (await request.encode()).buffer.toString("hex")];
  };
  // Tags of the header; two topics, each with an id of zeros, its name and no tags; the unwanted parts; no tags.
  const topic = (hex: string) => `${"00".repeat(16)}${hex}00`;
  expect(await bytesOf(["ab", "c"])).toEqual([
    10,
    `00 03 ${topic("036162")} ${topic("0263")} 00 00 00 00`.replaceAll(" ", ""),
  ]);
  expect(await bytesOf([])).toEqual([10, "000000000000"]);
});

test.each([
  { newest: [0, 1, 2, 3, 4, 5, 6], asked: (newest: number) => newest },
  { newest: [7, 8, 9], asked: () => 6 },
  { newest: [10, 11, 12, 13], asked: () => 10 },
])("brokers with versions up to $newest get the newest version that both sides support", ({ newest, asked }) => {
  const found = newest.map((maxVersion) => {
    const look = requests.lookup({ 3: { minVersion: 0, maxVersion } });
    return look(3, requests.requests.Metadata)({ topics: ["a"] }).request.apiVersion;
  });
  expect(found).toEqual(newest.map(asked));
});

test("an answer is read, with the ids of topic and cluster at each partition", async () => {
  const partition = {
    partitionErrorCode: 0,
    leader: 1,
    leaderEpoch: 7,
    replicas: [1, 2],
    isr: [1],
    offlineReplicas: [2],
  };
  const topicId = ID.toString("base64url");
  expect(await read([{ name: "events", partitionErrors: [0, 0] }])).toEqual({
    throttleTime: 0,
    clientSideThrottleTime: 250,
    brokers: [{ nodeId: 1, host: "a", port: 9092, rack: null }],
    clusterId: "cluster",
    controllerId: 1,
    topicMetadata: [
      {
        topicErrorCode: 0,
        topic: "events",
        topicId,
        isInternal: false,
        partitionMetadata: [
          { ...partition, partitionId: 0, topicId, clusterId: "cluster" },
          { ...partition, partitionId: 1, topicId, clusterId: "cluster" },
        ],
      },
    ],
  });
  expect(seen.of("events")).toEqual({ id: topicId, isMissing: false });
});

test("a cluster without topic ids answers with zeros", async () => {
  await read([{ name: "events", id: Buffer.alloc(16) }]);
  expect(seen.of("events")).toEqual({ id: undefined, isMissing: false });
});

describe("a missing topic", () => {
  const missing = { name: "gone", error: UNKNOWN_TOPIC, id: Buffer.alloc(16), partitionErrors: [] };

  test("does not affect others in the same answer", async () => {
    const { topicMetadata } = await read([{ name: "events" }, missing]);
    expect(topicMetadata.map(({ topic, partitionMetadata }) => [topic, partitionMetadata.length])).toEqual([
      ["events", 1],
      ["gone", 0],
    ]);
    expect([seen.of("events")?.isMissing, seen.of("gone")]).toEqual([false, { isMissing: true }]);
  });

  test("is an error where it is the only requested topic", async () => {
    await expect(read([missing])).rejects.toMatchObject({ type: "UNKNOWN_TOPIC_OR_PARTITION" });
    expect(seen.of("gone")).toEqual({ isMissing: true });
  });

  test("is left out by the versions of kafkajs, too", async () => {
    const { response } = metadata.protocol({ version: 6 })({ topics: [] });
    const there = { topicErrorCode: 0, topic: "events", partitionMetadata: [] };
    const answer = { topicMetadata: [there, { ...there, topic: "gone", topicErrorCode: UNKNOWN_TOPIC }] };
    expect(await response.parse(answer)).toBe(answer);
    expect(seen.of("gone")).toEqual({ isMissing: true });
  });
});

describe("a partition without a leader", () => {
  const leaders = new LeaderTracker();
  beforeEach(() => repairMetadata(undefined, seen, leaders));

  test("is marked and is no error, neither of its topic nor of another one", async () => {
    const { topicMetadata } = await read([
      { name: "events", partitionErrors: [0, LEADER_NOT_AVAILABLE, 0, LISTENER_NOT_FOUND] },
      { name: "verdicts" },
    ]);
    expect(topicMetadata.map(({ partitionMetadata }) => partitionMetadata.map(({ leader }) => leader))).toEqual([
      [1, -1, 1, -1],
      [1],
    ]);
    expect([leaders.without("events"), leaders.without("verdicts")]).toEqual([[1, 3], []]);
    await read([{ name: "events", partitionErrors: [0, 0, 0, 0] }]);
    expect(leaders.without("events")).toEqual([]);
  });

  test("is marked in the versions of kafkajs, too", async () => {
    const { response } = metadata.protocol({ version: 6 })({ topics: [] });
    const partition = { partitionErrorCode: LEADER_NOT_AVAILABLE, partitionId: 7, leader: -1, replicas: [1], isr: [] };
    const topic = { topicErrorCode: 0, topic: "events", partitionMetadata: [partition] };
    const { topicMetadata } = await response.parse({ topicMetadata: [topic] });
    expect(topicMetadata).toEqual([{ ...topic, partitionMetadata: [{ ...partition, partitionErrorCode: 0 }] }]);
    expect(leaders.without("events")).toEqual([7]);
  });

  test("does not hide any other error of a partition", async () => {
    const told = read([{ name: "events", partitionErrors: [LEADER_NOT_AVAILABLE, KAFKA_STORAGE_ERROR] }]);
    await expect(told).rejects.toMatchObject({ type: "KAFKA_STORAGE_ERROR" });
  });
});

test("any other error stays an error, and reports nothing about its topic", async () => {
  const waiting = read([{ name: "events" }, { name: "new", error: LEADER_NOT_AVAILABLE }]);
  await expect(waiting).rejects.toMatchObject({ type: "LEADER_NOT_AVAILABLE" });
  expect(seen.of("new")).toBeUndefined();
});

test("another version of kafkajs is refused, since the patch may not fit", () => {
  expect(() => repairMetadata("2.3.0")).toThrow("kafkajs is 2.3.0, and its metadata is repaired for 2.2.4 only");
});

test("a report is counted as a change where it differs", () => {
  seen.told("a", { id: "1", isMissing: false });
  seen.told("a", { id: "1", isMissing: false });
  expect(seen.changes).toBe(1);
  seen.told("a", { id: "2", isMissing: false });
  seen.told("a", { isMissing: true });
  expect(seen.changes).toBe(3);
});
