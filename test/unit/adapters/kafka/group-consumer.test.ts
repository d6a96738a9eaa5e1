import { describe, expect, test } from "vitest";
import { KafkaGroupConsumer } from "../../../../src/adapters/kafka/group-consumer.ts";
import type { GroupHandler, PartitionOffset } from "../../../../src/kernel/stream.ts";
import { FakeKafka, type FakeLogOffsets } from "../../../fakes/fake-kafka.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";

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
  let takesIn = true;
  const handler: GroupHandler = {
    joined: () => undefined,
    located: (places) => void located.push(...places),
    rebalancing: () => undefined,
    delivered: (records) => {
      if (takesIn) delivered.push(...records.map(({ offset }) => offset));
      return takesIn;
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
  });
  await consumer.start(handler);
  const join = async () => {
    fake.join({ events: [0] });
    await settled();
  };
  const refuse = () => {
    takesIn = false;
  };
  return { fake, log, clock, consumer, delivered, failures, located, lost, join, refuse };
}

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

  test("fails for good when the log ends before what was read, once it is certain", async () => {
    const { fake, clock, delivered, failures, join } = await member(AT_TEN);
    await join();
    await fake.fetched("events", 0, 10, 3);
    fake.answer = { committed: 10, low: 0, high: 4 };
    await fake.fetched("events", 0, 0, 4);
    await clock.advance(179_999);
    expect(failures).toEqual([]);
    await clock.advance(1);
    const what = "events/0 cannot be read on from 13: its log ends at 4";
    const remedy =
      "the topic was made anew or its log cut; if so, stop the group and reset its offsets to the earliest";
    expect(failures).toEqual([`${what}: ${remedy} (over)`]);
    expect(delivered).toEqual([10, 11, 12]);
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
});
