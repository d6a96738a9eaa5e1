import { beforeEach, describe, expect, test } from "vitest";
import { KafkaGroupConsumer } from "../../../../src/adapters/kafka/group-consumer.ts";
import { topicsSeen } from "../../../../src/adapters/kafka/topics-seen.ts";
import type { GroupHandler, PartitionOffset, TopicPartition } from "../../../../src/kernel/stream.ts";
import { FakeKafka, type FakeLogOffsets } from "../../../fakes/fake-kafka.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";

const AT = { topic: "events", partition: 0 };
const AT_TEN: FakeLogOffsets = { committed: 10, low: 0, high: 50 };

/** A consumer of one partition, and what its handler was given. */
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
  });
  await consumer.start(handler);
  const join = async () => {
    fake.join({ events: [0] });
    await settled();
  };
  const refuse = (from = 0) => {
    takesIn = ([first = 0]) => first < from;
  };
  return { fake, log, clock, consumer, delivered, failures, located, lost, joined, gone, recreated, join, refuse };
}

beforeEach(() => topicsSeen.told("events", { isMissing: false }));

describe("KafkaGroupConsumer", () => {
  test("reads nothing of a generation before it knows where the group stands, and then from there", async () => {
    const { fake, delivered } = await member(AT_TEN);
    fake.join({ events: [0] });
    await fake.fetched("events", 0, 40, 2);
    expect([delivered, [...fake.paused]]).toEqual([[], ["events/0"]]);
    await settled();
    expect([fake.seeks, [...fake.paused]]).toEqual([["events/0 10"], []]);
    await fake.fetched("events", 0, 10, 3);
    expect([delivered, fake.resolved]).toEqual([[10, 11, 12], ["12"]]);
  });

  test("does not deliver a fetch that began elsewhere, and reads on from where it stands", async () => {
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

  test("tells what the group has committed, though that be gone, before any record", async () => {
    const { located, delivered, join, fake } = await member({ committed: 10, low: 30, high: 50 });
    await join();
    expect(located).toEqual([{ topic: "events", partition: 0, offset: 10, metadata: "" }]);
    await fake.fetched("events", 0, 30, 1);
    expect(delivered).toEqual([30]);
  });

  test("passes over a batch of markers that follows on", async () => {
    const { fake, delivered, join } = await member(AT_TEN);
    await join();
    fake.markers("events", 0, 10, 12);
    await fake.fetched("events", 0, 13, 1);
    expect([delivered, fake.seeks]).toEqual([[13], ["events/0 10"]]);
  });

  test("does not pass over markers that come from elsewhere, nor over what lies before them", async () => {
    const { fake, delivered, join } = await member(AT_TEN);
    await join();
    fake.markers("events", 0, 40, 41);
    expect([...fake.paused]).toEqual(["events/0"]);
    await settled();
    expect([fake.seeks, [...fake.paused]]).toEqual([["events/0 10", "events/0 10"], []]);
    await fake.fetched("events", 0, 10, 3);
    expect(delivered).toEqual([10, 11, 12]);
  });

  test("passes over markers behind a gap once they come again", async () => {
    const { fake, delivered, join } = await member(AT_TEN);
    await join();
    fake.markers("events", 0, 15, 16);
    await settled();
    fake.markers("events", 0, 15, 16);
    expect([...fake.paused]).toEqual([]);
    await fake.fetched("events", 0, 17, 1);
    expect(delivered).toEqual([17]);
  });

  test("takes no notice of markers while it does not know where it stands", async () => {
    const { fake, delivered } = await member(AT_TEN);
    fake.join({ events: [0] });
    fake.markers("events", 0, 40, 41);
    await settled();
    await fake.fetched("events", 0, 10, 1);
    expect([delivered, fake.seeks]).toEqual([[10], ["events/0 10"]]);
  });

  test("warns of what was deleted before it was read, says so, and reads on", async () => {
    const { fake, log, delivered, lost, join } = await member(AT_TEN);
    await join();
    await fake.fetched("events", 0, 10, 3);
    fake.answer = { committed: 10, low: 30, high: 50 };
    await fake.fetched("events", 0, 30, 2);
    await settled();
    expect(log.lines).toEqual([
      {
        level: "warn",
        message: "records were deleted before they were read: the topic keeps too little",
        fields: { topic: "events", partition: 0, from: 13, until: 30 },
      },
    ]);
    expect(lost).toEqual([{ topic: "events", partition: 0, offset: 13, until: 30 }]);
    await fake.fetched("events", 0, 30, 2);
    expect(delivered).toEqual([10, 11, 12, 30, 31]);
  });

  test("reads a log that ends before what was read from its first record on, once that is certain", async () => {
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

  test("does not read a log past its end that is longer by then", async () => {
    const { fake, clock, delivered, recreated, join } = await member({ committed: 10, low: 0, high: 4 });
    await join();
    await clock.advance(5_000);
    fake.answer = AT_TEN;
    await clock.advance(60_000);
    await settled();
    await fake.fetched("events", 0, 10, 1);
    expect([delivered, recreated]).toEqual([[10], []]);
  });

  describe("a topic that is made anew under its name", () => {
    const ids = { old: "A".repeat(22), new: "B".repeat(22) };
    const OLD_TOPIC = { ...AT_TEN, topicId: ids.old };

    test("is read from its first record on as soon as an answer tells its id, and told", async () => {
      const { fake, clock, delivered, located, recreated, join, log } = await member(OLD_TOPIC);
      await join();
      await fake.fetched("events", 0, 10, 3);
      fake.answer = { committed: 10, low: 0, high: 90, topicId: ids.new, metadata: `t1:${ids.old}` };
      topicsSeen.told("events", { id: ids.new, isMissing: false });
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

    test("is still another one where a generation ends before its reader was told", async () => {
      const { fake, clock, located, recreated, join } = await member(OLD_TOPIC);
      await join();
      await fake.fetched("events", 0, 10, 3);
      fake.answer = { committed: 0, low: 0, high: 0, topicId: ids.new, metadata: `t1:${ids.new}` };
      await join();
      // The look is over once a second has passed, and by then the group has begun yet another generation.
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

    test("is told as another one where the new log seems to end before what is committed in it", async () => {
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

    test("is not believed while the brokers do not agree", async () => {
      const { fake, clock, recreated, join } = await member({ ...OLD_TOPIC, metadata: `t1:${ids.new}` });
      await join();
      fake.answer = { ...OLD_TOPIC, topicId: ids.new, metadata: `t1:${ids.new}` };
      await clock.advance(1_000);
      await clock.advance(1_000);
      await settled();
      expect([recreated, fake.seeks]).toEqual([[], ["events/0 10"]]);
    });

    test("is named in each commit", async () => {
      const { fake, consumer, join } = await member(OLD_TOPIC);
      await join();
      await consumer.commit([{ ...AT, offset: 12, metadata: "s1:AQ" }]);
      await consumer.commit([{ ...AT, offset: 13 }]);
      expect(fake.commits).toEqual([`events/0 12 t1:${ids.old} s1:AQ`, `events/0 13 t1:${ids.old}`]);
    });

    test("is not what a commit tells of that was mirrored from another cluster: it is taken at its word", async () => {
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
          message: "the commits are of another cluster: their offsets are taken at their word",
          fields: { topic: "events", theirs: "cluster-a", ours: "cluster-b" },
        },
      ]);
      await consumer.commit([{ ...AT, offset: 12 }]);
      expect(fake.commits).toEqual([`events/0 12 t1:${ids.new}@cluster-b`]);
    });

    test("is another one where the commit is of this cluster", async () => {
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

    test("is left out while it is not there, and read again once it is", async () => {
      const { fake, clock, consumer, delivered, joined, gone, log, join } = await member(OLD_TOPIC);
      await join();
      topicsSeen.told("events", { isMissing: true });
      fake.emit("FETCH_START", {});
      expect([joined.at(-1), gone, consumer.missing]).toEqual([[], [AT], ["events"]]);
      fake.answer = { committed: -1, low: 0, high: 2, topicId: ids.new };
      topicsSeen.told("events", { id: ids.new, isMissing: false });
      fake.emit("FETCH_START", {});
      expect([joined.at(-1), consumer.missing]).toEqual([[AT], []]);
      await clock.advance(1_000);
      await settled();
      await fake.fetched("events", 0, 0, 2);
      expect(delivered).toEqual([0, 1]);
      expect(log.messages("warn").slice(0, 2)).toEqual([
        "the topic is not there: it is left out until it is",
        "the topic is there again: it is read",
      ]);
    });
  });

  test("asks again while the brokers do not say where to begin", async () => {
    const { fake, log, clock, delivered, failures, join } = await member(new Error("no broker"));
    await join();
    expect([fake.asked, [...fake.paused]]).toEqual([1, ["events/0"]]);
    fake.answer = AT_TEN;
    await clock.advance(1_000);
    await settled();
    await fake.fetched("events", 0, 10, 1);
    expect([delivered, failures]).toEqual([[10], []]);
    expect(log.lines).toEqual([
      { level: "warn", message: "it is not known yet where to read on", fields: { reason: "no broker" } },
    ]);
  });

  test("keeps paused what its handler paused while a place was looked for", async () => {
    const { fake, consumer, join } = await member(AT_TEN);
    await join();
    await fake.fetched("events", 0, 17, 2);
    consumer.pause([{ topic: "events", partition: 0 }]);
    await settled();
    expect([fake.seeks.at(-1), [...fake.paused]]).toEqual(["events/0 10", ["events/0"]]);
    consumer.resume([{ topic: "events", partition: 0 }]);
    expect([...fake.paused]).toEqual([]);
  });

  test("has a fetch that the handler refused come again", async () => {
    const { fake, refuse, delivered, join } = await member(AT_TEN);
    await join();
    refuse();
    await fake.fetched("events", 0, 10, 3);
    expect([delivered, fake.resolved, fake.asked]).toEqual([[], [], 2]);
    await fake.fetched("events", 0, 10, 3);
    await settled();
    expect([fake.resolved, fake.seeks]).toEqual([[], ["events/0 10"]]);
  });

  test("has the rest of a fetch come again of which the handler took the beginning", async () => {
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
