import { describe, expect, test } from "vitest";
import {
  type EpochBroker,
  endsOfEpochs,
  type LeaderCluster,
} from "../../../../../src/adapters/kafka/offsets/epoch-ends.ts";
import { NoLeaderError } from "../../../../../src/adapters/kafka/topics/no-leader-error.ts";
import { epochEndRequest, readEpochEnds } from "../../../../../src/adapters/kafka/wire/epoch-end-answer.ts";

// Written by the Java client, kafka-clients 4.1.2, from its classes of these messages, version 3.
const REQUEST = "ffffffff0000000100066576656e74730000000200000000000000070000000500000003ffffffff00000004";
const ANSWER =
  "000000fa0000000100066576656e74730000000200000000000000000005000000010000004a004a00000003ffffffffffffffffffffffff";

test("a request is encoded as by the Java client", async () => {
  const request = epochEndRequest("events", [
    { partition: 0, currentEpoch: 7, epoch: 5 },
    { partition: 3, currentEpoch: -1, epoch: 4 },
  ]);
  expect([request.apiKey, request.apiVersion]).toEqual([23, 3]);
  expect((await request.encode()).buffer.toString("hex")).toBe(REQUEST);
});

test("an answer of the Java client is decoded", async () => {
  expect(await readEpochEnds(Buffer.from(ANSWER, "hex"))).toEqual({
    throttleTime: 0,
    clientSideThrottleTime: 250,
    partitions: [
      { partition: 0, errorCode: 0, answer: { epoch: 5, end: 4_294_967_370 } },
      { partition: 3, errorCode: 74, answer: { epoch: -1, end: -1 } },
    ],
  });
});

/** Two brokers. Each leads two partitions, and answers with these error codes. */
function cluster({ codes = {}, maxVersion = 4 }: { codes?: Record<number, number>; maxVersion?: number }) {
  const asked: string[] = [];
  const broker = (nodeId: number): EpochBroker => ({
    versions: { 23: { maxVersion } },
    connectionPool: {
      send: async ({ request, response }) => {
        const bytes = (await request.encode()).buffer;
        const count = bytes.readInt32BE(16);
        const partitions = Array.from({ length: count }, (_, i) => bytes.readInt32BE(20 + 12 * i));
        asked.push(`${nodeId}: ${partitions.join()}`);
        const ends = partitions.map((partition) => {
          return { partition, errorCode: codes[partition] ?? 0, answer: { epoch: 4, end: 10 * partition } };
        });
        return response.parse({ throttleTime: 0, clientSideThrottleTime: 0, partitions: ends });
      },
    },
  });
  const leaders: LeaderCluster = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    addTargetTopic: async () => undefined,
    findTopicPartitionMetadata: () =>
      [1, 2, 1, 2].map((leader, partitionId) => ({ partitionId, leader, leaderEpoch: 9 })),
    findBroker: async ({ nodeId }) => broker(nodeId),
  };
  return { leaders, asked };
}

describe("the ends of epochs", () => {
  const all = new Map([0, 1, 2, 3].map((partition) => [partition, 4]));

  test("are not known while a partition has no leader", async () => {
    const { leaders } = cluster({});
    const lost: LeaderCluster = {
      ...leaders,
      findTopicPartitionMetadata: (topic) =>
        leaders
          .findTopicPartitionMetadata(topic)
          .map((each) => (each.partitionId === 2 ? { ...each, leader: -1 } : each)),
    };

    await expect(endsOfEpochs(lost, "events", all)).rejects.toBeInstanceOf(NoLeaderError);
  });

  test("are reported by the leader of each partition", async () => {
    const { leaders, asked } = cluster({});
    const ends = await endsOfEpochs(leaders, "events", new Map([...all].slice(0, 3)));
    expect(asked).toEqual(["1: 0,2", "2: 1"]);
    expect(ends).toEqual(new Map([0, 2, 1].map((partition) => [partition, { epoch: 4, end: 10 * partition }])));
  });

  test("are unknown for brokers that do not support the request, or refuse it", async () => {
    expect(await endsOfEpochs(cluster({ maxVersion: 2 }).leaders, "events", all)).toEqual(new Map());
    // The client may lack the permission to describe the topic. The meaning of a later version's code is unknown, too.
    const found = await endsOfEpochs(cluster({ codes: { 0: 29, 1: 999 } }).leaders, "events", all);
    expect([...found.keys()]).toEqual([2, 3]);
  });

  test.each([
    { code: 74, type: "FENCED_LEADER_EPOCH" },
    { code: 6, type: "NOT_LEADER_FOR_PARTITION" },
  ])("are requested again where a leader moves: $type", async ({ code, type }) => {
    const { leaders } = cluster({ codes: { 3: code } });
    await expect(endsOfEpochs(leaders, "events", all)).rejects.toMatchObject({ type });
  });
});
