import { describe, expect, test } from "vitest";
import { openRanges, type ReplayAdmin, untilEmpty } from "../../../../../src/adapters/kafka/offsets/replay-ranges.ts";
import { GroupBusyError } from "../../../../../src/worker/consumer/errors.ts";
import { FakeClock } from "../../../../fakes/fake-clock.ts";

const leader = { partitionErrorCode: 0, partitionId: 0, leader: 1, replicas: [1], isr: [1] };

/** A topic with offsets 10 to 19 of one partition, and a group with the committed offset `committed`. */
function adminAt(committed: string, members: () => number = () => 0, metadata: string | null = null): ReplayAdmin {
  return {
    fetchTopicMetadata: async () => ({
      topics: [{ name: "dead", partitions: [{ ...leader, topicId: "B".repeat(22) }] }],
    }),
    fetchTopicOffsets: async () => [{ partition: 0, offset: "20", low: "10", high: "20" }],
    fetchOffsets: async ({ topics = [] }) =>
      topics.map((topic) => ({ topic, partitions: [{ partition: 0, offset: committed, metadata }] })),
    describeGroups: async () => ({
      groups: [{ members: Array.from({ length: members() }) }] as Awaited<
        ReturnType<ReplayAdmin["describeGroups"]>
      >["groups"],
    }),
  };
}

const at = { topic: "dead", groupId: "weir-replay" };

test.each([
  ["where the group stands", "15", false, 15],
  ["where the group stands, at the end", "20", false, 20],
  ["the first record, when the group stands nowhere", "-1", false, 10],
  ["the first record, when what came before is gone", "3", false, 10],
  ["the first record, when the group stood in another topic of that name", "21", false, 10],
  ["the first record, when it is told to", "15", true, 10],
])("a range begins with %s", async (_name, committed, all, from) => {
  expect(await openRanges(adminAt(committed), { ...at, all })).toEqual([
    { topic: "dead", partition: 0, from, end: 20 },
  ]);
});

test.each([
  ["goes on in the topic that its commit names", "B", 15],
  ["begins anew in one that was made anew under its name", "A", 10],
])("a replay %s", async (_name, id, from) => {
  const admin = adminAt("15", () => 0, `t1:${id.repeat(22)}`);
  expect(await openRanges(admin, { ...at, all: false })).toEqual([{ topic: "dead", partition: 0, from, end: 20 }]);
});

describe("a group with a member", () => {
  const patience = (clock: FakeClock) => ({ clock, patienceMs: 3_000, signal: new AbortController().signal });

  test("is waited for, since a killed member leaves with its session", async () => {
    const clock = new FakeClock();
    let looks = 0;
    await untilEmpty(
      adminAt("0", () => (++looks < 3 ? 1 : 0)),
      "weir-replay",
      patience(clock),
    );
    expect(clock.slept).toEqual([1_000, 1_000]);
  });

  test("is waited for only for a limited time", async () => {
    const clock = new FakeClock();
    const waiting = untilEmpty(
      adminAt("0", () => 1),
      "weir-replay",
      patience(clock),
    );
    await expect(waiting).rejects.toBeInstanceOf(GroupBusyError);
    expect(clock.slept.length).toBe(3);
  });
});
