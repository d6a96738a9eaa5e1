import { expect, onTestFinished, test } from "vitest";
import { followControlTopic } from "../../../../../src/adapters/kafka/consumer/control-topic.ts";
import { FakeKafka, type FakeLogOffsets } from "../../../../fakes/fake-kafka.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";
import { settled, VirtualClock } from "../../../../fakes/virtual-clock.ts";

function following(answer: FakeLogOffsets | Error) {
  const fake = new FakeKafka(answer);
  const clock = new VirtualClock(0);
  const log = new FakeLog();
  const stop = new AbortController();
  let read = 0;
  const ended = followControlTopic(
    {
      kafka: fake.kafka,
      topic: "control",
      groupId: "weir-quota-a",
      sessionTimeoutMs: 6_000,
      clock,
      random: () => 0.5,
      log,
      onValue: () => {
        read++;
      },
    },
    stop.signal,
  );
  onTestFinished(() => stop.abort());
  return { fake, clock, log, stop, ended, read: () => read };
}

test("reading begins a little before the end, and goes on with new records", async () => {
  const { fake, stop, ended, read } = following({ committed: -1, low: 100, high: 1_000 });
  await settled();
  fake.join({ control: [0] });
  await settled();
  await fake.fetched("control", 0, 744, 3);
  stop.abort();
  await ended;

  expect([fake.seeks, read()]).toEqual([["control/0 744"], 3]);
});

test("a short topic is read completely", async () => {
  const { fake } = following({ committed: -1, low: 990, high: 1_000 });
  await settled();
  fake.join({ control: [0] });
  await settled();

  expect(fake.seeks).toEqual(["control/0 990"]);
});

test("unreachable brokers are retried every 5 s, which is logged once", async () => {
  const { fake, clock, log } = following(new Error("no broker"));
  await clock.advance(11_000);
  expect(log.messages("warn")).toEqual(["Weir cannot read the control topic and keeps trying"]);
  fake.answer = { committed: -1, low: 0, high: 10 };
  await clock.advance(5_000);
  fake.join({ control: [0] });
  await settled();

  expect(fake.seeks).toEqual(["control/0 0"]);
});

test("after the end of its consumer, reading goes on at the same offset", async () => {
  const { fake, clock } = following({ committed: -1, low: 0, high: 10 });
  await settled();
  fake.join({ control: [0] });
  await settled();
  await fake.fetched("control", 0, 0, 4);
  fake.emit("CRASH", { error: new Error("gone"), restart: false });
  await clock.advance(6_000);
  fake.join({ control: [0] });
  await settled();

  expect(fake.seeks).toEqual(["control/0 0", "control/0 4"]);
});
