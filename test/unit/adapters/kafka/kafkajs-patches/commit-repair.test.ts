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

/** A member of a group as kafkajs runs it, with a coordinator that answers as it is told. */
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

/** A commit of a partition that is another member's by the time that the coordinator is back. */
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

test("a commit that is tried again is taken under the next generation, until that is repaired", async () => {
  const { taken, outcome } = await outlived();

  expect(taken).toEqual(['2: [{"topic":"events","partitions":[{"partition":1,"offset":"100"}]}]']);
  expect(outcome).toBe("resolved");
});

test("a repaired one is given up once its generation is over, and says so", async () => {
  repairCommits();
  const { taken, asked, outcome, commits } = await outlived();

  expect([taken, commits()]).toEqual([[], 0]);
  expect(new Set(asked)).toEqual(new Set([1]));
  expect(outcome).toMatchObject({ message: "the generation of the group that the commit belongs to is over" });
});

test("the next commit is the next generation's", async () => {
  repairCommits();
  const { taken, commit, commits } = await outlived();

  expect(await commit(0, "7")).toBe("resolved");
  expect(taken).toEqual(['2: [{"topic":"events","partitions":[{"partition":0,"offset":"7"}]}]']);
  expect(commits()).toBe(1);
});

test("within its generation a commit is tried again until the coordinator is back", async () => {
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

test("of two commits that wait, each goes with its own generation", async () => {
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

test("a commit that the coordinator refuses is refused, and one of a member that has stopped ends", async () => {
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

test("repairing twice is repairing once", async () => {
  repairCommits();
  repairCommits();
  const { taken, commit } = await member();

  expect(await commit(0, "5")).toBe("resolved");
  expect(taken).toHaveLength(1);
});

test("another version of kafkajs is refused: it may need no repair, or another", () => {
  expect(() => repairCommits("2.3.0")).toThrow("kafkajs is 2.3.0, and its commits are repaired for 2.2.4 only");
});

test("a commit in a topic that was deleted is refused at once: those of other topics do not wait for it", async () => {
  repairCommits();
  const { broker, asked, commit } = await member();
  const unknown = new kafkajs.KafkaJSProtocolError("This server does not host this topic-partition");
  broker.answer = Object.assign(unknown, { type: "UNKNOWN_TOPIC_OR_PARTITION", retriable: true });
  const outcome = commit(0, "5");
  await vi.advanceTimersByTimeAsync(400);

  expect(await outcome).toMatchObject({ message: "a topic of the commit is not there" });
  expect(asked).toEqual([1]);
});
