import { beforeEach, describe, expect, test } from "vitest";
import { KafkaGroupConsumer } from "../../../../../src/adapters/kafka/consumer/group-consumer.ts";
import { leaderTracker } from "../../../../../src/adapters/kafka/topics/leader-tracker.ts";
import { topicMetadataCache } from "../../../../../src/adapters/kafka/topics/topic-metadata-cache.ts";
import type { GroupHandler, PartitionOffset, TopicPartition } from "../../../../../src/kernel/stream.ts";
import { FakeKafka, type FakeLogOffsets } from "../../../../fakes/fake-kafka.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";
import { settled, VirtualClock } from "../../../../fakes/virtual-clock.ts";

const AT = { topic: "events", partition: 0 };
const AT_TEN: FakeLogOffsets = { committed: 10, low: 0, high: 50 };

/** A consumer of one partition, and the calls of its handler. */
async function member(answer: FakeLogOffsets | Error) {
  const fake = new FakeKafka(answer);
  const log = new FakeLog();
  const clock = new VirtualClock();
  const delivered: number[] = [];
  const failures: string[] = [];
  const located: PartitionOffset[] = [];
  const lost: unknown[] = [];
  let takesIn = (_offsets: readonly number[]): boolean => true;
  const joined: (readonly TopicPartition[])[] = [];
  const gone: TopicPartition[] = [];
  const recreated: unknown[] = [];
  const truncated: unknown[] = [];
  const handler: GroupHandler = {
    joined: (assigned, of = []) => {
      joined.push(assigned);
      gone.push(...of);
    },
    located: (places) => void located.push(...places),
    rebalancing: () => undefined,
    delivered: (records) => {
      const offsets = records.map(({ offset }) => offset);
      const isTaken = takesIn(offsets);
      if (isTaken) delivered.push(...offsets);
      return isTaken;
    },
    committed: () => undefined,
    lost: (at, until) => void lost.push({ ...at, until }),
    failed: (error, restarts) => void failures.push(`${error.message} (${restarts ? "restarts" : "over"})`),
  };
  const consumer = new KafkaGroupConsumer({
    kafka: fake.kafka,
    groupId: "weir",
    topics: ["events"],
    sessionTimeoutMs: 30_000,
    rebalanceTimeoutMs: 60_000,
    clock,
    random: () => 0.5,
    log,
    onRecreated: (at) => void recreated.push(at),
    onTruncated: (at) => void truncated.push(at),
  });
  await consumer.start(handler);
  const join = async () => {
    fake.join({ events: [0] });
    await settled();
  };
  const refuse = (from = 0) => {
    takesIn = ([first = 0]) => first < from;
  };
  return {
    fake,
    log,
    clock,
    consumer,
    delivered,
    failures,
    located,
    lost,
    joined,
    gone,
    recreated,
    truncated,
    join,
    refuse,
  };
}

beforeEach(() => topicMetadataCache.told("events", { isMissing: false }));

describe("KafkaGroupConsumer", () => {
  test("reads nothing in a generation before it knows the committed offset, and then reads from there", async () => {
    const { fake, delivered } = await member(AT_TEN);
    fake.join({ events: [0] });
    await fake.fetched("events", 0, 40, 2);
    expect([delivered, [...fake.paused]]).toEqual([[], ["events/0"]]);
    await settled();
    expect([fake.seeks, [...fake.paused]]).toEqual([["events/0 10"], []]);
    await fake.fetched("events", 0, 10, 3);
    expect([delivered, fake.resolved]).toEqual([[10, 11, 12], ["12"]]);
  });

  test("does not deliver a fetch from another offset, and reads on at its own position", async () => {
    const { fake, delivered, join } = await member(AT_TEN);
    await join();
    await fake.fetched("events", 0, 10, 3);
    await fake.fetched("events", 0, 17, 2);
    expect([delivered, [...fake.paused]]).toEqual([[10, 11, 12], ["events/0"]]);
    await settled();
    expect([fake.seeks, [...fake.paused]]).toEqual([["events/0 10", "events/0 13"], []]);
    await fake.fetched("events", 0, 13, 6);
    expect(delivered).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18]);
  });

  test("reports the committed offset, even of deleted records, before any record", async () => {
    const { located, delivered, join, fake } = await member({ committed: 10, low: 30, high: 50 });
    await join();
    expect(located).toEqual([{ topic: "events", partition: 0, offset: 10, metadata: "" }]);
    await fake.fetched("events", 0, 30, 1);
    expect(delivered).toEqual([30]);
  });

  test("skips a batch of markers at its position", async () => {
    const { fake, delivered, join } = await member(AT_TEN);
    await join();
    fake.markers("events", 0, 10, 12);
    await fake.fetched("events", 0, 13, 1);
    expect([delivered, fake.seeks]).toEqual([[13], ["events/0 10"]]);
  });

  test("does not skip markers from another offset, nor the records before them", async () => {
    const { fake, delivered, join } = await member(AT_TEN);
    await join();
    fake.markers("events", 0, 40, 41);
    expect([...fake.paused]).toEqual(["events/0"]);
    await settled();
    expect([fake.seeks, [...fake.paused]]).toEqual([["events/0 10", "events/0 10"], []]);
    await fake.fetched("events", 0, 10, 3);
    expect(delivered).toEqual([10, 11, 12]);
  });

  test("skips markers behind a gap when they arrive again", async () => {
    const { fake, delivered, join } = await member(AT_TEN);
    await join();
    fake.markers("events", 0, 15, 16);
    await settled();
    fake.markers("events", 0, 15, 16);
    expect([...fake.paused]).toEqual([]);
    await fake.fetched("events", 0, 17, 1);
    expect(delivered).toEqual([17]);
  });

  test("ignores markers while its position is unknown", async () => {
    const { fake, delivered } = await member(AT_TEN);
    fake.join({ events: [0] });
    fake.markers("events", 0, 40, 41);
    await settled();
    await fake.fetched("events", 0, 10, 1);
    expect([delivered, fake.seeks]).toEqual([[10], ["events/0 10"]]);
  });

  test("warns about records that were deleted before they were read, reports them, and reads on", async () => {
    const { fake, log, delivered, lost, join } = await member(AT_TEN);
    await join();
    await fake.fetched("events", 0, 10, 3);
    fake.answer = { committed: 10, low: 30, high: 50 };
    await fake.fetched("events", 0, 30, 2);
    await settled();
    expect(log.lines).toEqual([
      {
        level: "warn",
        message: "the topic deleted records before Weir read them: raise the retention of the topic",
        fields: { topic: "events", partition: 0, from: 13, until: 30 },
      },
    ]);
    expect(lost).toEqual([{ topic: "events", partition: 0, offset: 13, until: 30 }]);
    await fake.fetched("events", 0, 30, 2);
    expect(delivered).toEqual([10, 11, 12, 30, 31]);
  });

  test("reads a log that ends before its position from the first record, once that is certain", async () => {
    const { fake, clock, delivered, failures, located, recreated, join } = await member(AT_TEN);
    await join();
    await fake.fetched("events", 0, 10, 3);
    fake.answer = { committed: 10, low: 0, high: 4 };
    await fake.fetched("events", 0, 0, 4);
    await clock.advance(29_000);
    expect([delivered, recreated]).toEqual([[10, 11, 12], []]);
    await clock.advance(2_000);
    await settled();
    expect(recreated).toEqual([{ ...AT, oldId: undefined, newId: undefined, readTo: 13, from: 0 }]);
    expect(located.at(-1)).toEqual({ ...AT, offset: 0, isAnew: true });
    await fake.fetched("events", 0, 0, 4);
    expect([delivered, failures]).toEqual([[10, 11, 12, 0, 1, 2, 3], []]);
  });

  test("does not read past the end of a log that grew in the meantime", async () => {
    const { fake, clock, delivered, recreated, join } = await member({ committed: 10, low: 0, high: 4 });
    await join();
    await clock.advance(5_000);
    fake.answer = AT_TEN;
    await clock.advance(60_000);
    await settled();
    await fake.fetched("events", 0, 10, 1);
    expect([delivered, recreated]).toEqual([[10], []]);
  });

  describe("a topic that is recreated under its name", () => {
    const ids = { old: "A".repeat(22), new: "B".repeat(22) };
    const OLD_TOPIC = { ...AT_TEN, topicId: ids.old };

    test("is read from its first record as soon as an answer has its id, and is reported", async () => {
      const { fake, clock, delivered, located, recreated, join, log } = await member(OLD_TOPIC);
      await join();
      await fake.fetched("events", 0, 10, 3);
      fake.answer = { committed: 10, low: 0, high: 90, topicId: ids.new, metadata: `t1:${ids.old}` };
      topicMetadataCache.told("events", { id: ids.new, isMissing: false });
      fake.emit("FETCH_START", {});
      expect([...fake.paused]).toEqual(["events/0"]);
      await clock.advance(1_000);
      await settled();
      const told = { ...AT, oldId: ids.old, newId: ids.new };
      expect(recreated).toEqual([{ ...told, readTo: 13, from: 0 }]);
      expect(log.lines).toEqual([
        {
          level: "warn",
          message: "the topic was made anew under its name: it is read from its first record on",
          fields: { ...told, offset: 13, from: 0 },
        },
      ]);
      expect(located.at(-1)).toEqual({ ...AT, offset: 0, isAnew: true });
      await fake.fetched("events", 0, 0, 2);
      expect(delivered).toEqual([10, 11, 12, 0, 1]);
    });

    test("still counts as recreated where a generation ends before the handler knows", async () => {
      const { fake, clock, located, recreated, join } = await member(OLD_TOPIC);
      await join();
      await fake.fetched("events", 0, 10, 3);
      fake.answer = { committed: 0, low: 0, high: 0, topicId: ids.new, metadata: `t1:${ids.new}` };
      await join();
      // The lookup ends after a second, and by then the group has begun yet another generation.
      const ended = clock.advance(1_000);
      fake.join({ events: [0] });
      await ended;
      await clock.advance(1_000);
      await settled();
      expect(located.slice(1)).toEqual([{ ...AT, offset: 0, metadata: "", isAnew: true }]);
      expect(recreated).toEqual([]);
      await join();
      expect(located.at(-1)).toEqual({ ...AT, offset: 0, metadata: "" });
    });

    test("is reported as recreated where the new log seems to end before the commit", async () => {
      const { fake, clock, located, join } = await member(OLD_TOPIC);
      await join();
      fake.answer = { committed: 7, low: 0, high: 5, topicId: ids.new, metadata: `t1:${ids.new}` };
      await join();
      await clock.advance(3_000);
      await join();
      await clock.advance(3_000);
      expect(located).toHaveLength(1);
      fake.answer = { ...fake.answer, high: 9 };
      await clock.advance(2_000);
      await settled();
      expect(located.slice(1)).toEqual([{ ...AT, offset: 7, metadata: "", isAnew: true }]);
    });

    test("is not accepted while the brokers do not agree", async () => {
      const { fake, clock, recreated, join } = await member({ ...OLD_TOPIC, metadata: `t1:${ids.new}` });
      await join();
      fake.answer = { ...OLD_TOPIC, topicId: ids.new, metadata: `t1:${ids.new}` };
      await clock.advance(1_000);
      await clock.advance(1_000);
      await settled();
      expect([recreated, fake.seeks]).toEqual([[], ["events/0 10"]]);
    });

    test("is named by its id in each commit", async () => {
      const { fake, consumer, join } = await member(OLD_TOPIC);
      await join();
      await consumer.commit([{ ...AT, offset: 12, metadata: "s1:AQ" }]);
      await consumer.commit([{ ...AT, offset: 13 }]);
      expect(fake.commits).toEqual([`events/0 12 t1:${ids.old} s1:AQ`, `events/0 13 t1:${ids.old}`]);
    });

    test("is not assumed for a commit that was mirrored from another cluster, which is trusted", async () => {
      const metadata = `t1:${ids.old}@cluster-a s1:AQ`;
      const { fake, consumer, located, recreated, log, join } = await member({
        ...AT_TEN,
        topicId: ids.new,
        clusterId: "cluster-b",
        metadata,
      });
      await join();
      await join();
      expect(fake.seeks).toEqual(["events/0 10", "events/0 10"]);
      expect([located.at(-1), recreated]).toEqual([{ ...AT, offset: 10, metadata: "" }, []]);
      expect(log.lines).toEqual([
        {
          level: "warn",
          message: "the commits come from another cluster: Weir uses their offsets unchecked",
          fields: { topic: "events", theirs: "cluster-a", ours: "cluster-b" },
        },
      ]);
      await consumer.commit([{ ...AT, offset: 12 }]);
      expect(fake.commits).toEqual([`events/0 12 t1:${ids.new}@cluster-b`]);
    });

    test("is assumed where the commit is of this cluster", async () => {
      const { clock, recreated, join } = await member({
        ...AT_TEN,
        topicId: ids.new,
        clusterId: "cluster-a",
        metadata: `t1:${ids.old}@cluster-a`,
      });
      await join();
      await clock.advance(1_000);
      await settled();
      expect(recreated).toEqual([{ ...AT, oldId: ids.old, newId: ids.new, readTo: 10, from: 0 }]);
    });

    test("is left out while it is absent, and read again once it exists", async () => {
      const { fake, clock, consumer, delivered, joined, gone, log, join } = await member(OLD_TOPIC);
      await join();
      topicMetadataCache.told("events", { isMissing: true });
      fake.emit("FETCH_START", {});
      expect([joined.at(-1), gone, consumer.missing]).toEqual([[], [AT], ["events"]]);
      fake.answer = { committed: -1, low: 0, high: 2, topicId: ids.new };
      topicMetadataCache.told("events", { id: ids.new, isMissing: false });
      fake.emit("FETCH_START", {});
      expect([joined.at(-1), consumer.missing]).toEqual([[AT], []]);
      await clock.advance(1_000);
      await settled();
      await fake.fetched("events", 0, 0, 2);
      expect(delivered).toEqual([0, 1]);
      expect(log.messages("warn").slice(0, 2)).toEqual([
        "the topic does not exist: Weir skips the topic until the topic exists",
        "the topic exists again: Weir reads the topic",
      ]);
    });
  });

  describe("a log with a new leader", () => {
    const ID = "A".repeat(22);
    const commit = (epochs: string, committed = 10, high = 50): FakeLogOffsets => {
      return { committed, low: 0, high, topicId: ID, metadata: `t1:${ID}${epochs}` };
    };

    test("is named by its epochs in each commit, from the epoch of the record before it on", async () => {
      const { fake, consumer, join } = await member(commit(""));
      await join();
      await fake.fetched("events", 0, 10, 3, 4);
      fake.epochEnd = () => ({ epoch: 4, end: 13 });
      await fake.fetched("events", 0, 13, 2, 6);
      await settled();
      await fake.fetched("events", 0, 13, 2, 6);
      await consumer.commit([{ ...AT, offset: 12, metadata: "s1:AQ" }]);
      await consumer.commit([{ ...AT, offset: 14 }]);
      expect(fake.commits).toEqual([`events/0 12 t1:${ID} e4:10,6:13 s1:AQ`, `events/0 14 t1:${ID} e6:13`]);
    });

    test("has lost nothing where its first batches hold only markers", async () => {
      const { fake, consumer, delivered, truncated, joined, join } = await member(commit(" e4:2"));
      await join();
      await fake.fetched("events", 0, 10, 3, 4);
      fake.epochEnd = (epoch) => (epoch >= 5 ? { epoch: 5, end: 1_003 } : { epoch: 4, end: 13 });
      for (let turn = 0; turn < 2; turn++) {
        fake.markers("events", 0, 13, 999, 5);
        await settled();
      }
      await consumer.commit([{ ...AT, offset: 1_000 }]);
      await fake.fetched("events", 0, 1_000, 3, 5);

      expect([truncated, joined.length, fake.epochsAsked]).toEqual([[], 1, [4, 4]]);
      expect(delivered).toEqual([10, 11, 12, 1_000, 1_001, 1_002]);
      expect(fake.commits.at(-1)).toBe(`events/0 1000 t1:${ID} e5:13`);
    });

    test("has lost records where its first batches hold only markers and lie before the read ones", async () => {
      const { fake, truncated, join } = await member(commit(" e4:2"));
      await join();
      await fake.fetched("events", 0, 10, 5, 4);
      fake.epochEnd = () => ({ epoch: 4, end: 12 });
      fake.markers("events", 0, 15, 20, 5);
      await settled();

      expect(truncated).toEqual([{ ...AT, readTo: 15, cutAt: 12, from: 10 }]);
    });

    test("is read on where the new leader has all read records, with one request an election", async () => {
      const { fake, delivered, truncated, join } = await member(commit(" e4:2"));
      fake.epochEnd = () => ({ epoch: 4, end: 13 });
      await join();
      await fake.fetched("events", 0, 10, 3, 4);
      await fake.fetched("events", 0, 13, 2, 5);
      expect([...fake.paused]).toEqual(["events/0"]);
      await settled();
      expect([fake.seeks.at(-1), [...fake.paused]]).toEqual(["events/0 13", []]);
      for (const from of [13, 15, 17]) await fake.fetched("events", 0, from, 2, 5);
      expect([delivered, fake.epochsAsked, truncated]).toEqual([[10, 11, 12, 13, 14, 15, 16, 17, 18], [4, 4], []]);
    });

    test("is read again from the first record that the new leader may lack, and is reported", async () => {
      const { fake, log, delivered, located, truncated, joined, join } = await member(commit(" e4:2"));
      fake.epochEnd = () => ({ epoch: 4, end: 50 });
      await join();
      await fake.fetched("events", 0, 10, 5, 4);
      fake.epochEnd = () => ({ epoch: 4, end: 12 });
      await fake.fetched("events", 0, 15, 2, 5);
      await settled();
      expect(joined).toHaveLength(2);
      expect(located.at(-1)).toEqual({ ...AT, offset: 10, metadata: "", isAnew: true, agreesUntil: 12 });
      expect(truncated).toEqual([{ ...AT, readTo: 15, cutAt: 12, from: 10 }]);
      expect(log.lines).toEqual([
        {
          level: "warn",
          message:
            "the new leader of a partition lacks records that were read: their verdicts stand, and what its log holds there is read",
          fields: { ...AT, offset: 15, until: 12, from: 10 },
        },
      ]);
      await fake.fetched("events", 0, 10, 2, 4);
      fake.epochEnd = () => ({ epoch: 4, end: 12 });
      await fake.fetched("events", 0, 12, 2, 5);
      await settled();
      await fake.fetched("events", 0, 12, 2, 5);
      expect(delivered).toEqual([10, 11, 12, 13, 14, 10, 11, 12, 13]);
      expect(truncated).toHaveLength(1);
    });

    test("is read on at once where its end is before the position, which the brokers report as out of range", async () => {
      const { fake, delivered, truncated, recreated, join } = await member(commit(" e4:2"));
      fake.epochEnd = () => ({ epoch: 4, end: 50 });
      await join();
      await fake.fetched("events", 0, 10, 5, 4);
      fake.answer = commit(" e4:2", 15, 13);
      fake.epochEnd = () => ({ epoch: 4, end: 12 });
      // In this case kafkajs begins at the first record.
      await fake.fetched("events", 0, 0, 5, 3);
      await settled();
      expect([fake.seeks.at(-1), truncated]).toEqual(["events/0 12", [{ ...AT, readTo: 15, cutAt: 12, from: 12 }]]);
      await fake.fetched("events", 0, 12, 1, 4);
      expect([delivered, recreated]).toEqual([[10, 11, 12, 13, 14, 12], []]);
    });

    test("is reported once, until there is a commit behind its cut", async () => {
      const { fake, truncated, join } = await member(commit(" e4:2", 15));
      fake.epochEnd = () => ({ epoch: 4, end: 12 });
      await join();
      await join();
      expect([fake.seeks, truncated]).toEqual([
        ["events/0 12", "events/0 12"],
        [{ ...AT, readTo: 15, cutAt: 12, from: 12 }],
      ]);
    });

    test("is read past the reported end, where its leader has all committed records", async () => {
      const { fake, join } = await member(commit(" e4:2", 15, 13));
      fake.epochEnd = () => ({ epoch: 4, end: 16 });
      await join();
      expect(fake.seeks).toEqual(["events/0 15"]);
    });

    test("is not read before its leader answers", async () => {
      const { fake, clock, failures, join } = await member(commit(" e4:2"));
      fake.epochEnd = new Error("no leader yet");
      await join();
      expect([fake.seeks, [...fake.paused]]).toEqual([[], ["events/0"]]);
      fake.epochEnd = () => ({ epoch: 4, end: 50 });
      await clock.advance(1_000);
      await settled();
      expect([fake.seeks, failures]).toEqual([["events/0 10"], []]);
    });

    test("is read on unchanged where its leader does not know the epoch", async () => {
      const { fake, delivered, join } = await member(commit(" e4:2"));
      await join();
      await fake.fetched("events", 0, 10, 2, 5);
      await settled();
      await fake.fetched("events", 0, 10, 2, 5);
      expect(delivered).toEqual([10, 11]);
    });
  });

  describe("a partition without a leader", () => {
    const LEADERLESS: FakeLogOffsets = { committed: 10, low: -1, high: -1 };

    test("is read as soon as it has one, after any time, and ends no consumer", async () => {
      const { fake, clock, delivered, failures, located, join } = await member(LEADERLESS);
      await join();
      for (let minute = 0; minute < 10; minute++) await clock.advance(60_000);
      expect([located, [...fake.paused], failures]).toEqual([[], ["events/0"], []]);
      fake.answer = AT_TEN;
      await clock.advance(5_000);
      await settled();
      await fake.fetched("events", 0, 10, 1);
      expect([located, delivered]).toEqual([[{ ...AT, offset: 10, metadata: "" }], [10]]);
    });

    test("is also waited for during reading, and is reported once", async () => {
      const { fake, clock, log, failures, delivered, join } = await member(AT_TEN);
      await join();
      fake.answer = LEADERLESS;
      await fake.fetched("events", 0, 17, 2);
      for (let minute = 0; minute < 10; minute++) await clock.advance(60_000);
      expect(log.lines.map(({ message, fields }) => [message, fields])).toEqual([
        ["the offset to continue from is not known yet", { reason: "events has 1 partition without a leader: 0" }],
      ]);
      fake.answer = AT_TEN;
      await clock.advance(5_000);
      await settled();
      await fake.fetched("events", 0, 10, 2);
      expect([delivered, failures]).toEqual([[10, 11], []]);
    });

    test("is logged as a warning with its topic, and so is its new leader", async () => {
      const { fake, log, join } = await member(AT_TEN);
      await join();
      for (const without of [[3], [3], []]) {
        leaderTracker.told("events", without);
        fake.emit("FETCH_START", {});
      }
      const fields = { topic: "events", partition: 3 };
      expect(log.lines).toEqual([
        {
          level: "warn",
          message: "the partition has no leader: Weir skips the partition until a leader exists",
          fields,
        },
        { level: "warn", message: "the partition has a leader again: Weir reads the partition", fields },
      ]);
    });
  });

  test("the starting point is requested again while the brokers do not report it", async () => {
    const { fake, log, clock, delivered, failures, join } = await member(new Error("no broker"));
    await join();
    expect([fake.asked, [...fake.paused]]).toEqual([1, ["events/0"]]);
    fake.answer = AT_TEN;
    await clock.advance(1_000);
    await settled();
    await fake.fetched("events", 0, 10, 1);
    expect([delivered, failures]).toEqual([[10], []]);
    expect(log.lines).toEqual([
      { level: "warn", message: "the offset to continue from is not known yet", fields: { reason: "no broker" } },
    ]);
  });

  test("partitions that the handler paused during a lookup stay paused", async () => {
    const { fake, consumer, join } = await member(AT_TEN);
    await join();
    await fake.fetched("events", 0, 17, 2);
    consumer.pause([{ topic: "events", partition: 0 }]);
    await settled();
    expect([fake.seeks.at(-1), [...fake.paused]]).toEqual(["events/0 10", ["events/0"]]);
    consumer.resume([{ topic: "events", partition: 0 }]);
    expect([...fake.paused]).toEqual([]);
  });

  test("a fetch that the handler refused is delivered again", async () => {
    const { fake, refuse, delivered, join } = await member(AT_TEN);
    await join();
    refuse();
    await fake.fetched("events", 0, 10, 3);
    expect([delivered, fake.resolved, fake.asked]).toEqual([[], [], 2]);
    await fake.fetched("events", 0, 10, 3);
    await settled();
    expect([fake.resolved, fake.seeks]).toEqual([[], ["events/0 10"]]);
  });

  test("the rest of a partly accepted fetch is delivered again", async () => {
    const { fake, refuse, delivered, join } = await member(AT_TEN);
    await join();
    refuse(210);
    await fake.fetched("events", 0, 10, 250);
    expect([delivered.length, delivered.at(-1), fake.resolved]).toEqual([200, 209, ["209"]]);

    refuse(1_000);
    await fake.fetched("events", 0, 210, 50);
    await settled();
    expect([delivered.length, delivered.at(-1), fake.resolved]).toEqual([250, 259, ["209", "259"]]);
    expect(fake.seeks).toEqual(["events/0 10"]);
  });
});
