import { expect, test } from "vitest";
import { ConsumerDeadError } from "../../../../src/worker/consumer/errors.ts";
import { TopicTail } from "../../../../src/worker/consumer/topic-tail.ts";
import { FakeConsumer, recordsAt } from "../../../fakes/fake-consumer.ts";

const at = { topic: "control", partition: 0 };

async function following() {
  const consumer = new FakeConsumer();
  const read: number[] = [];
  const tail = new TopicTail({
    consumer,
    from: { ...at, offset: 5 },
    onRecord: ({ offset }) => void read.push(offset),
  });
  await tail.start();
  return {
    consumer,
    read,
    tail,
    deliver: (offsets: readonly number[]) => consumer.handler.delivered(recordsAt(offsets, at)),
  };
}

test("the tail reads from the given offset, and after a rebalance from its position", async () => {
  const { consumer, read, deliver } = await following();
  consumer.handler.joined([at]);
  expect(consumer.sought).toEqual(new Map([["control/0", 5]]));
  expect(deliver([3, 4, 5, 6])).toBe(true);
  consumer.handler.rebalancing();
  consumer.handler.joined([at]);
  expect(consumer.sought).toEqual(new Map([["control/0", 7]]));
  deliver([6, 7, 9]);

  expect(read).toEqual([5, 6, 7, 9]);
  expect(consumer.commits).toEqual([]);
});

test("the tail does not seek a partition that it does not own", async () => {
  const { consumer } = await following();
  consumer.handler.joined([]);

  expect(consumer.sought.size).toBe(0);
});

test("the tail reads a topic that is recreated under its name from the first record", async () => {
  const { consumer, read, deliver } = await following();
  consumer.handler.joined([at]);
  deliver([5, 6]);
  consumer.handler.joined([at]);
  consumer.handler.located([{ ...at, offset: 0 }]);
  expect(consumer.sought).toEqual(new Map([["control/0", 7]]));
  consumer.handler.located([
    { topic: "control", partition: 1, offset: 0, isAnew: true },
    { ...at, offset: 1, isAnew: true },
  ]);
  expect(consumer.sought).toEqual(new Map([["control/0", 1]]));
  deliver([1, 2]);

  expect(read).toEqual([5, 6, 1, 2]);
});

test("the tail ends when its consumer ends for good", async () => {
  const { consumer, tail, read, deliver } = await following();
  consumer.handler.failed(new Error("a pause"), true);
  deliver([5]);
  consumer.handler.failed(new Error("gone"), false);

  await expect(tail.ended).rejects.toEqual(new ConsumerDeadError("the consumer has ended: gone"));
  expect(read).toEqual([5]);
});
