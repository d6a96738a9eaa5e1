import kafkajs from "kafkajs";
import ConsumerGroup from "kafkajs/src/consumer/consumerGroup.js";
import Runner from "kafkajs/src/consumer/runner.js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { repairCommits } from "../../../../../src/adapters/kafka/kafkajs-patches/commit-repair.ts";

const unrepaired = Runner.prototype.commitOffsets;
const silent = { namespace: () => silent, debug() {}, info() {}, warn() {}, error() {} };
const settled = (promise: Promise<void> | undefined) =>
  Promise.resolve(promise).then(
    () => "resolved",
    (thrown: unknown) => thrown,
  );

/** A member of a group in kafkajs, with a coordinator that gives the configured answers. */
async function member() {
  const taken: string[] = [];
  const asked: number[] = [];
  const emitted: string[] = [];
  const broker = { answer: undefined as Error | undefined, generationId: 0, partitions: [0, 1] };
  const coordinator = {
    isConnected: () => true,
    joinGroup: async () => ({ generationId: ++broker.generationId, leaderId: "b", memberId: "a", members: [] }),
    syncGroup: async () => ({
      memberAssignment: kafkajs.AssignerProtocol.MemberAssignment.encode({
        version: 1,
        assignment: { events: broker.partitions },
        userData: Buffer.alloc(0),
      }),
    }),
    offsetCommit: async ({ groupGenerationId, topics }: { groupGenerationId: number; topics: unknown }) => {
      asked.push(groupGenerationId);
      if (broker.answer !== undefined) throw broker.answer;
      taken.push(`${groupGenerationId}: ${JSON.stringify(topics)}`);
    },
  };
  const retry = { initialRetryTime: 300, maxRetryTime: 3_000, retries: 12 };
  const instrumentationEmitter = { emit: (name: string) => void emitted.push(name) };
  const consumerGroup = new ConsumerGroup({
    retry,
    cluster: {
      findGroupCoordinator: async () => coordinator,
      findTopicPartitionMetadata: () => [{ partitionId: 0 }, { partitionId: 1 }],
      committedOffsets: () => ({}),
    },
    groupId: "weir",
    topics: ["events"],
    topicConfigurations: { events: { fromBeginning: true } },
    logger: silent,
    instrumentationEmitter,
    assigners: [],
    autoCommit: false,
  });
  const runner = new Runner({ logger: silent, consumerGroup, instrumentationEmitter, retry, autoCommit: false });
  await consumerGroup.joinAndSync();
  runner.running = true;
  const commit = (partition: number, offset: string) =>
    settled(runner.commitOffsets({ topics: [{ topic: "events", partitions: [{ partition, offset }] }] }));
  const commits = () => emitted.filter((name) => name === "consumer.commit_offsets").length;
  return { broker, runner, consumerGroup, taken, asked, commit, commits };
}

function isAway(): Error {
  return new kafkajs.KafkaJSConnectionError("the coordinator is away");
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  Runner.prototype.commitOffsets = unrepaired;
  vi.useRealTimers();
});

/** A commit of a partition that belongs to another member when the coordinator is back. */
async function outlived() {
  const { broker, consumerGroup, ...rest } = await member();
  broker.answer = isAway();
  const outcome = rest.commit(1, "100");
  await vi.advanceTimersByTimeAsync(700);
  broker.partitions = [0];
  await consumerGroup.joinAndSync();
  broker.answer = undefined;
  await vi.advanceTimersByTimeAsync(60_000);
  return { ...rest, outcome: await outcome };
}

test("a retried commit is accepted under the next generation, without the patch", async () => {
  const { taken, outcome } = await outlived();

  expect(taken).toEqual(['2: [{"topic":"events","partitions":[{"partition":1,"offset":"100"}]}]']);
  expect(outcome).toBe("resolved");
});

test("with the patch a commit is given up after its generation, with an error", async () => {
  repairCommits();
  const { taken, asked, outcome, commits } = await outlived();

  expect([taken, commits()]).toEqual([[], 0]);
  expect(new Set(asked)).toEqual(new Set([1]));
  expect(outcome).toMatchObject({ message: "the generation of the group that the commit belongs to is over" });
});

test("the next commit belongs to the next generation", async () => {
  repairCommits();
  const { taken, commit, commits } = await outlived();

  expect(await commit(0, "7")).toBe("resolved");
  expect(taken).toEqual(['2: [{"topic":"events","partitions":[{"partition":0,"offset":"7"}]}]']);
  expect(commits()).toBe(1);
});

test("within its generation a commit is retried until the coordinator is back", async () => {
  repairCommits();
  const { broker, asked, taken, commit } = await member();
  broker.answer = isAway();
  const outcome = commit(1, "100");
  await vi.advanceTimersByTimeAsync(700);
  const tries = asked.length;
  expect(tries).toBeGreaterThan(1);
  broker.answer = undefined;
  await vi.advanceTimersByTimeAsync(3_000);

  expect(await outcome).toBe("resolved");
  expect(asked).toHaveLength(tries + 1);
  expect(taken).toEqual(['1: [{"topic":"events","partitions":[{"partition":1,"offset":"100"}]}]']);
});

test("two waiting commits each keep their own generation", async () => {
  repairCommits();
  const { broker, consumerGroup, taken, commit } = await member();
  broker.answer = isAway();
  const first = commit(0, "5");
  await consumerGroup.joinAndSync();
  const second = commit(0, "6");
  await vi.advanceTimersByTimeAsync(200);
  broker.answer = undefined;
  await vi.advanceTimersByTimeAsync(3_000);

  expect(await first).toBeInstanceOf(Error);
  expect(await second).toBe("resolved");
  expect(taken).toEqual(['2: [{"topic":"events","partitions":[{"partition":0,"offset":"6"}]}]']);
});

test("a commit that the coordinator refuses is refused, and one of a stopped member ends", async () => {
  repairCommits();
  const { broker, runner, asked, commit } = await member();
  broker.answer = new kafkajs.KafkaJSNonRetriableError("the group has another generation");
  expect(await commit(0, "5")).toMatchObject({ message: "the group has another generation" });
  broker.answer = isAway();
  const outcome = commit(0, "5");
  runner.running = false;
  await vi.advanceTimersByTimeAsync(3_000);

  expect(await outcome).toBe("resolved");
  expect(await commit(0, "5")).toBe("resolved");
  expect(asked).toEqual([1, 1]);
});

test("a second patch changes nothing", async () => {
  repairCommits();
  repairCommits();
  const { taken, commit } = await member();

  expect(await commit(0, "5")).toBe("resolved");
  expect(taken).toHaveLength(1);
});

test("another version of kafkajs is refused, since the patch may not fit", () => {
  expect(() => repairCommits("2.3.0")).toThrow("kafkajs is 2.3.0, and its commits are repaired for 2.2.4 only");
});

test("a commit for a deleted topic is refused at once, and commits of other topics do not wait for it", async () => {
  repairCommits();
  const { broker, asked, commit } = await member();
  const unknown = new kafkajs.KafkaJSProtocolError("This server does not host this topic-partition");
  broker.answer = Object.assign(unknown, { type: "UNKNOWN_TOPIC_OR_PARTITION", retriable: true });
  const outcome = commit(0, "5");
  await vi.advanceTimersByTimeAsync(400);

  expect(await outcome).toMatchObject({ message: "a topic of the commit is not there" });
  expect(asked).toEqual([1]);
});
