import OffsetManager from "kafkajs/src/consumer/offsetManager/index.js";
import { afterEach, expect, test } from "vitest";
import { repairReset } from "../../../../../src/adapters/kafka/kafkajs-patches/reset-repair.ts";

const unrepaired = OffsetManager.prototype.setDefaultOffset;

afterEach(() => {
  OffsetManager.prototype.setDefaultOffset = unrepaired;
});

/** The state of kafkajs about a group's positions. It reports its commits. */
function manager() {
  const commits: unknown[] = [];
  const group = {};
  const found = new OffsetManager({
    cluster: {
      committedOffsets: () => group,
      defaultOffset: () => "-2",
      fetchTopicsOffset: async () => [{ topic: "events", partitions: [{ partition: 3, offset: "40" }] }],
    },
    coordinator: { isConnected: () => true, offsetCommit: async (commit: unknown) => void commits.push(commit) },
    memberAssignment: { events: [3] },
    autoCommit: false,
    topicConfigurations: { events: { fromBeginning: true } },
    groupId: "weir",
    generationId: 1,
    memberId: "a",
  });
  const places = found.committedOffsets()["events"];
  if (places !== undefined) places[3] = "70";
  return { found, commits };
}

test("a position out of range is read from the first record on, and the commit stays", async () => {
  repairReset();
  const { found, commits } = manager();
  await found.setDefaultOffset({ topic: "events", partition: 3 });
  expect([String(found.nextOffset("events", 3)), commits]).toEqual(["40", []]);
});

test("kafkajs without the patch commits the first record in this case", async () => {
  const { found, commits } = manager();
  await found.setDefaultOffset({ topic: "events", partition: 3 });
  expect(commits).toHaveLength(1);
});

test("another version of kafkajs is refused, since the patch may not fit", () => {
  expect(() => repairReset("2.3.0")).toThrow("kafkajs is 2.3.0, and its resets are repaired for 2.2.4 only");
});
