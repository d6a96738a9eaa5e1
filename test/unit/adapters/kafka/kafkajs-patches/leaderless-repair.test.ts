import BrokerPool from "kafkajs/src/cluster/brokerPool.js";
import Cluster from "kafkajs/src/cluster/index.js";
import { afterEach, expect, test, vi } from "vitest";
import { repairLeaderless } from "../../../../../src/adapters/kafka/kafkajs-patches/leaderless-repair.ts";

const unrepaired = [Cluster.prototype.fetchTopicsOffset, BrokerPool.prototype.refreshMetadata] as const;
const NOW = 1_000_000;

afterEach(() => {
  [Cluster.prototype.fetchTopicsOffset, BrokerPool.prototype.refreshMetadata] = unrepaired;
  vi.useRealTimers();
});

/** kafkajs's own cluster with these leaders. Each broker answers with twice its number. */
function cluster(leaders: readonly number[]): Cluster {
  repairLeaderless();
  const asked = { "1": "2", "2": "4" };
  const findBroker = async ({ nodeId }: { readonly nodeId: keyof typeof asked }) => ({
    listOffsets: async ({ topics }: { topics: { topic: string; partitions: { partition: number }[] }[] }) => ({
      responses: topics.map(({ topic, partitions }) => ({
        topic,
        partitions: partitions.map(({ partition }) => ({ partition, offset: asked[nodeId] })),
      })),
    }),
  });
  const partitionMetadata = leaders.map((leader, partitionId) => ({ partitionId, leader }));
  const brokerPool = { metadata: { topicMetadata: [{ topic: "events", partitionMetadata }] } };
  return Object.assign(Object.create(Cluster.prototype) as Cluster, { brokerPool, findBroker });
}

const wanted = (...partitions: readonly number[]) => [
  { topic: "events", partitions: partitions.map((partition) => ({ partition })), fromBeginning: true },
];

test("no broker is asked for offsets of a partition without a leader, which stay unknown", async () => {
  expect(await cluster([1, -1, 2]).fetchTopicsOffset(wanted(0, 1, 2))).toEqual([
    {
      topic: "events",
      partitions: [
        { partition: 0, offset: "2" },
        { partition: 2, offset: "4" },
        { partition: 1, offset: "-1" },
      ],
    },
  ]);
  expect(await cluster([-1]).fetchTopicsOffset(wanted(0))).toEqual([
    { topic: "events", partitions: [{ partition: 0, offset: "-1" }] },
  ]);
});

test.each([
  { leaders: [1, 2], metadataMaxAge: 60_000, expires: 60_000 },
  { leaders: [1, -1], metadataMaxAge: 60_000, expires: 2_000 },
  { leaders: [1, -1], metadataMaxAge: 500, expires: 500 },
])("metadata with the leaders $leaders is kept for $expires ms of $metadataMaxAge", async (given) => {
  repairLeaderless();
  vi.useFakeTimers({ now: NOW });
  const pool = Object.assign(Object.create(BrokerPool.prototype) as BrokerPool, {
    metadataMaxAge: given.metadataMaxAge,
    brokers: {},
    seedBroker: { connectionPool: {} },
    retrier: (work: (bail: (error: Error) => void) => Promise<void>) =>
      work((error) => {
        throw error;
      }),
    findConnectedBroker: async () => ({
      metadata: async () => ({
        brokers: [],
        topicMetadata: [{ topic: "events", partitionMetadata: given.leaders.map((leader) => ({ leader })) }],
      }),
    }),
  });
  await pool.refreshMetadata(["events"]);
  expect((pool.metadataExpireAt ?? 0) - NOW).toBe(given.expires);
});

test("another version of kafkajs is refused, since the patch may not fit", () => {
  expect(() => repairLeaderless("2.3.0")).toThrow("partitions without a leader are left out for 2.2.4 only");
});
