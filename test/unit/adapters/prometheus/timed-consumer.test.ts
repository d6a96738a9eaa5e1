import { expect, test } from "vitest";
import { TimedConsumer } from "../../../../src/adapters/prometheus/timed-consumer.ts";
import type { GroupHandler, PartitionOffset, StreamRecord, TopicPartition } from "../../../../src/kernel/stream.ts";
import { FakeConsumer, recordsAt } from "../../../fakes/fake-consumer.ts";

const at = { topic: "events", partition: 0 };
const offset = (of: number, partition = 0): PartitionOffset => ({ topic: "events", partition, offset: of });

/** Records the notifications in order. */
class Told implements GroupHandler {
  readonly calls: unknown[][] = [];
  joined(assigned: readonly TopicPartition[], gone: readonly TopicPartition[] = []): void {
    this.calls.push(["joined", assigned, gone]);
  }
  located(places: readonly PartitionOffset[]): void {
    this.calls.push(["located", places]);
  }
  rebalancing(): void {
    this.calls.push(["rebalancing"]);
  }
  delivered(records: readonly StreamRecord[]): boolean {
    this.calls.push(["delivered", records.length]);
    return records.length > 1;
  }
  lost(at: PartitionOffset, until: number): void {
    this.calls.push(["lost", at, until]);
  }
  committed(offsets: readonly PartitionOffset[]): void {
    this.calls.push(["committed", offsets]);
  }
  failed(error: Error, restarts: boolean): void {
    this.calls.push(["failed", error.message, restarts]);
  }
}

async function timed() {
  const consumer = new FakeConsumer();
  const commits: [string, number][] = [];
  let now = 0;
  const timedConsumer = new TimedConsumer(consumer, { ticks: () => now }, (outcome, ms) => commits.push([outcome, ms]));
  const told = new Told();
  await timedConsumer.start(told);
  return { consumer, commits, timedConsumer, told, pass: (ms: number) => (now += ms) };
}

test("a commit is taken once the broker confirms it, lost when no confirmation comes, and refused when it fails", async () => {
  const { consumer, commits, timedConsumer, pass } = await timed();
  const taken = timedConsumer.commit([offset(5)]);
  pass(40);
  await taken;
  consumer.answer = "nothing";
  await timedConsumer.commit([offset(6)]);
  consumer.answer = new Error("rebalancing");
  await expect(timedConsumer.commit([offset(7)])).rejects.toThrow("rebalancing");

  expect(commits).toEqual([
    ["taken", 40],
    ["lost", 0],
    ["refused", 0],
  ]);
});

test("a confirmation of another commit does not count", async () => {
  const { consumer, commits, timedConsumer } = await timed();
  consumer.answer = "nothing";
  const commit = timedConsumer.commit([offset(6)]);
  consumer.handler.committed([offset(5), offset(6, 1)]);
  await commit;

  expect(commits).toEqual([["lost", 0]]);
});

test("all other calls go to the consumer", async () => {
  const { consumer, timedConsumer, told } = await timed();
  const { handler } = consumer;
  handler.joined([at], [{ ...at, partition: 1 }]);
  handler.rebalancing();
  expect([handler.delivered(recordsAt([0])), handler.delivered(recordsAt([0, 1]))]).toEqual([false, true]);
  handler.lost?.(offset(2), 5);
  handler.failed(new Error("x"), true);
  consumer.activeAt = 7;
  timedConsumer.pause([at]);
  expect([...consumer.paused]).toEqual(["events/0"]);
  timedConsumer.resume([at]);
  expect([...consumer.paused]).toEqual([]);
  expect(timedConsumer.activeAt).toBe(7);
  await timedConsumer.stop();

  expect(consumer.isStopped).toBe(true);
  expect(told.calls).toEqual([
    ["joined", [at], [{ ...at, partition: 1 }]],
    ["rebalancing"],
    ["delivered", 1],
    ["delivered", 2],
    ["lost", offset(2), 5],
    ["failed", "x", true],
  ]);
});
