import { Kafka, logLevel } from "kafkajs";
import { expect, test } from "vitest";
import {
  behindTransactions,
  endsIn,
  type OffsetCluster,
  offsetCluster,
} from "../../../../../src/adapters/kafka/offsets/log-ends.ts";
import { openTransactionBacklog } from "../../../../../src/adapters/kafka/topics/transaction-check.ts";

/** Partition 0 of each topic ends in an open transaction; partition 1 does not. */
const cluster: OffsetCluster = {
  isolationLevel: 1,
  connect: async () => undefined,
  disconnect: async () => undefined,
  addTargetTopic: async () => undefined,
  findTopicPartitionMetadata: () => [{ partitionId: 0 }, { partitionId: 1 }],
  async fetchTopicsOffset(topics) {
    const end = this.isolationLevel === 0 ? "12" : "5";
    const offsets = ["5", "7"];
    return topics.map(({ topic, partitions }) => ({
      topic,
      partitions: partitions.map(({ partition }) => ({
        partition,
        offset: partition === 0 ? end : (offsets[partition] ?? ""),
      })),
    }));
  },
};

test("a log ends at its high watermark, and is readable up to the first open transaction", async () => {
  const ends = await endsIn(cluster, ["events", "bulk"]);

  expect([...ends.keys()]).toEqual(["events", "bulk"]);
  expect([...(ends.get("bulk") ?? [])]).toEqual([
    [0, { written: 12, readable: 5 }],
    [1, { written: 7, readable: 7 }],
  ]);
  expect(behindTransactions(ends.get("bulk"))).toBe(7);
  expect(behindTransactions(undefined)).toBe(0);
});

test("the end of a partition without a leader is unknown", async () => {
  const fetchTopicsOffset: OffsetCluster["fetchTopicsOffset"] = async () => [
    {
      topic: "events",
      partitions: [
        { partition: 0, offset: "12" },
        { partition: 1, offset: "-1" },
      ],
    },
  ];
  const found = await endsIn({ ...cluster, fetchTopicsOffset }, ["events"]);
  expect([...(found.get("events")?.keys() ?? [])]).toEqual([0]);
});

const ends = (...at: readonly (readonly [written: number, readable: number])[]) =>
  new Map([
    ["events", new Map(at.map(([written, readable], partition) => [partition, { written, readable }] as const))],
  ]);

test("a transaction blocks a topic when it is still the first open one at the second look", () => {
  const stands = openTransactionBacklog(ends([9, 9], [10, 4], [8, 2], [7, 1]), ends([12, 9], [12, 4], [8, 8], [7, 1]));

  expect(stands).toEqual([
    { topic: "events", records: 14, partitions: [1, 3], first: { topic: "events", partition: 1, offset: 4 } },
  ]);
  expect(openTransactionBacklog(ends([10, 4]), ends([12, 6]))).toEqual([]);
  expect(openTransactionBacklog(ends([10, 4]), new Map())).toEqual([]);
});

test("kafkajs's own cluster is found in the known version, and is refused in another version", () => {
  const kafka = new Kafka({ brokers: ["127.0.0.1:1"], logLevel: logLevel.NOTHING });

  expect(offsetCluster(kafka)).toMatchObject({ isolationLevel: 1 });
  expect(() => offsetCluster(kafka, "2.3.0")).toThrow("kafkajs is 2.3.0, and offsets are listed by 2.2.4 only");
  expect(() => offsetCluster({} as Kafka)).toThrow("offsets are listed by 2.2.4 only");
});
