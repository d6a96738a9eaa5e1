import { expect, test } from "vitest";
import type { OffsetClient } from "../../../../src/adapters/kafka/group-offsets.ts";
import { startingPoints } from "../../../../src/adapters/kafka/starting-points.ts";

/** A cluster that says this of one partition. */
function kafka(committed: string, low: string) {
  let connections = 0;
  const admin: ReturnType<OffsetClient["admin"]> = {
    connect: async () => void connections++,
    disconnect: async () => void connections--,
    fetchOffsets: async () => [
      { topic: "events", partitions: [{ partition: 3, offset: committed, metadata: "a word" }] },
    ],
    fetchTopicOffsets: async () => [{ partition: 3, offset: "90", high: "90", low }],
  };
  return { admin: () => admin, connections: () => connections };
}

const here = { topic: "events", partition: 3 };

test.each([
  { what: "at what was committed", committed: "7", low: "5", expected: { offset: 7, metadata: "a word" } },
  { what: "at the first record when nothing was committed", committed: "-1", low: "5", expected: { offset: 5 } },
  {
    what: "at the first record when what was committed is gone",
    committed: "2",
    low: "5",
    expected: { offset: 5, lostFrom: 2, metadata: "a word" },
  },
  {
    what: "at a commit past the end, which a new leader may not know yet",
    committed: "95",
    low: "5",
    expected: { offset: 95, metadata: "a word" },
  },
])("reading begins $what", async ({ committed, low, expected }) => {
  const cluster = kafka(committed, low);

  expect(await startingPoints(cluster, "group", [here])).toEqual([{ ...here, ...expected }]);
  expect(cluster.connections()).toBe(0);
});

test("a partition that the brokers do not speak of is an error", async () => {
  const cluster = kafka("7", "5");
  await expect(startingPoints(cluster, "group", [{ topic: "events", partition: 4 }])).rejects.toThrow(
    "the brokers did not say where events/4 begins",
  );
  expect(cluster.connections()).toBe(0);
});
