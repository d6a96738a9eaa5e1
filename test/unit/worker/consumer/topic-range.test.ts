import { describe, expect, test } from "vitest";
import type { StreamRecord } from "../../../../src/kernel/stream.ts";
import { ConsumerDeadError, GroupBusyError } from "../../../../src/worker/consumer/errors.ts";
import { TopicRange } from "../../../../src/worker/consumer/topic-range.ts";
import { FakeConsumer, recordsAt } from "../../../fakes/fake-consumer.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";

const topic = "dead";
const ranges = [
  { topic, partition: 0, from: 2, end: 5 },
  { topic, partition: 1, from: 0, end: 2 },
  { topic, partition: 2, from: 4, end: 4 },
];

async function reading() {
  const clock = new VirtualClock(0);
  const consumer = new FakeConsumer();
  const stopping = new AbortController();
  const range = new TopicRange({ consumer, ranges, clock, signal: stopping.signal });
  await range.start();
  const deliver = (partition: number, offsets: readonly number[], bytes?: number) =>
    consumer.handler.delivered(
      recordsAt(offsets, { topic, partition }).map((record) =>
        bytes === undefined ? record : { ...record, value: Buffer.alloc(bytes) },
      ),
    );
  const join = (partitions = [0, 1, 2]) =>
    consumer.handler.joined(partitions.map((partition) => ({ topic, partition })));
  /** Reads to the end. `found` has the records that were read so far. */
  const read = () => {
    const found: string[] = [];
    const ended = (async () => {
      for await (const { partition, offset } of range.read()) found.push(`${partition}/${offset}`);
    })();
    ended.catch(() => undefined);
    return { found, ended };
  };
  return { clock, consumer, stopping, range, deliver, join, read };
}

test("the records between the offsets are read, and no earlier or later ones", async () => {
  const { consumer, deliver, join, read } = await reading();
  const { found, ended } = read();
  join();
  expect([...consumer.sought]).toEqual([
    ["dead/0", 2],
    ["dead/1", 0],
  ]);
  expect([...consumer.paused]).toEqual(["dead/2"]);

  expect(deliver(0, [1, 2, 3])).toBe(true);
  deliver(1, [0, 1, 2, 3]);
  expect([...consumer.paused]).toEqual(["dead/2", "dead/1"]);
  deliver(0, [4, 5, 6]);
  await ended;
  expect(found).toEqual(["0/2", "0/3", "1/0", "1/1", "0/4"]);
});

test("a topic that is recreated during the read ends it, and a commit of an earlier topic does not", async () => {
  const { consumer, deliver, join, read } = await reading();
  const { ended } = read();
  join();
  const places = [0, 1, 2].map((partition) => ({ topic, partition, offset: 0, isAnew: true }));
  consumer.handler.located(places);
  deliver(0, [2]);
  await settled();
  consumer.handler.located(places);

  await expect(ended).rejects.toThrow("the topic was made anew while it was read: read it again");
});

test("a range may be read again", async () => {
  const { consumer, deliver, join, read } = await reading();
  join();
  for (let pass = 0; pass < 2; pass++) {
    consumer.sought.clear();
    const { found, ended } = read();
    await settled();
    expect(consumer.sought.get("dead/0")).toBe(2);
    deliver(0, [2, 4]);
    deliver(1, [0, 1]);
    await ended;
    expect(found).toEqual(["0/2", "0/4", "1/0", "1/1"]);
  }
});

test("after a rebalance the read continues at its position, and reads no record twice", async () => {
  const { consumer, deliver, join, read } = await reading();
  const { found, ended } = read();
  join();
  deliver(0, [2, 3]);
  deliver(1, [0, 1]);
  join();
  expect(consumer.sought.get("dead/0")).toBe(4);
  deliver(0, [2, 3, 4]);
  await ended;
  expect(found).toEqual(["0/2", "0/3", "1/0", "1/1", "0/4"]);
});

test("a gap at the end is not waited for", async () => {
  const { deliver, join, read } = await reading();
  const { found, ended } = read();
  join();
  deliver(0, [2, 9]);
  deliver(1, [7]);
  await ended;
  expect(found).toEqual(["0/2"]);
});

test("while many bytes wait for the reader, no more is fetched", async () => {
  const { consumer, range, deliver, join } = await reading();
  join();
  const records = range.read();
  const first = records.next();
  deliver(0, [2, 3], 5 * 1024 * 1024);
  expect([...consumer.paused].toSorted()).toEqual(["dead/0", "dead/1", "dead/2"]);
  await first;
  await records.next();
  const third: Promise<IteratorResult<StreamRecord>> = records.next();
  await settled();
  expect([...consumer.paused]).toEqual(["dead/2"]);
  deliver(1, [0, 1]);
  expect((await third).value).toMatchObject({ partition: 1, offset: 0 });
});

describe("the end of the ranges is committed", () => {
  const COMMIT = ranges.map(({ partition, end }) => ({ topic, partition, offset: end }));

  test("once", async () => {
    const { consumer, range, join } = await reading();
    join();
    await range.commit();
    expect(consumer.commits).toEqual([COMMIT]);
  });

  test.each(["nothing" as const, new Error("the group is rebalancing")])(
    "or the commit fails when the broker answers %s three times",
    async (answer) => {
      const { consumer, range, join } = await reading();
      join();
      consumer.answer = answer;
      await expect(range.commit()).rejects.toThrow("the next run brings the same again");
      expect(consumer.commits.length).toBe(3);
    },
  );
});

describe("the read fails", () => {
  test("when another member has a partition", async () => {
    const { join, read } = await reading();
    const { ended } = read();
    join([0, 1]);
    await expect(ended).rejects.toBeInstanceOf(GroupBusyError);
  });

  test("when the consumer has ended for good, and not when it restarts", async () => {
    const { consumer, deliver, join, read } = await reading();
    const { ended } = read();
    join();
    consumer.handler.failed(new Error("a fetch failed"), true);
    deliver(0, [2]);
    await settled();
    consumer.handler.failed(new Error("no rights"), false);
    await expect(ended).rejects.toThrow("the consumer has ended: no rights");
  });

  test("when no record comes for 90 s", async () => {
    const { clock, deliver, join, read } = await reading();
    const { ended } = read();
    join();
    await clock.advance(60_000);
    deliver(0, [2, 3]);
    await settled();
    await clock.advance(60_000);
    deliver(0, [4]);
    await settled();
    await clock.advance(90_000);
    await expect(ended).rejects.toThrow("nothing came for 90 s although something is left, from dead/1/0 on");
    await expect(ended).rejects.toBeInstanceOf(ConsumerDeadError);
  });

  test("on stop", async () => {
    const { stopping, join, read } = await reading();
    const { ended } = read();
    join();
    await settled();
    stopping.abort(new Error("told to stop"));
    await expect(ended).rejects.toThrow("told to stop");
  });
});

test("records of a partition outside the ranges are not accepted", async () => {
  const { deliver, join } = await reading();
  join();
  expect(deliver(7, [0])).toBe(false);
});

test("a range ends where its last offsets have no records: transaction markers, and aborted records", async () => {
  const { consumer, deliver, join, read } = await reading();
  const { found, ended } = read();
  join();
  deliver(0, [2, 3]);
  deliver(1, [0, 1]);
  consumer.handler.passed?.({ topic, partition: 7 }, 9);
  consumer.handler.passed?.({ topic, partition: 0 }, 3);
  await settled();
  expect([...consumer.paused]).toEqual(["dead/2", "dead/1"]);

  consumer.handler.passed?.({ topic, partition: 0 }, 6);
  await ended;
  expect([found, [...consumer.paused]]).toEqual([
    ["0/2", "0/3", "1/0", "1/1"],
    ["dead/2", "dead/1", "dead/0"],
  ]);
});
