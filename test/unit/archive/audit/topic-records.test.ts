import { expect, test } from "vitest";
import { TopicRecords } from "../../../../src/archive/audit/topic-records.ts";
import { recordsAt } from "../../../fakes/fake-consumer.ts";

const at = (partition: number) => ({ topic: "events", partition });

/** A topic with these offsets in all partitions; it records what is opened and stopped. */
function topicOf(offsets: readonly number[]) {
  const opened: (readonly [number, number])[] = [];
  let [stopped, read] = [0, 0];
  const records = new TopicRecords(async ({ partition }, from) => {
    opened.push([partition, from]);
    return {
      async *read() {
        for (const record of recordsAt(offsets.filter((offset) => offset >= from))) {
          read++;
          yield record;
        }
      },
      stop: async () => {
        stopped++;
      },
    };
  });
  const range = async (partition: number, from: number, until: number) =>
    (await Array.fromAsync(records.range(at(partition), from, until))).map(({ offset }) => offset);
  return { records, range, opened, stopped: () => stopped, read: () => read };
}

test("consecutive ranges share one reader, and nothing beyond the last range is requested", async () => {
  const { range, opened, read } = topicOf([0, 1, 2, 3, 4, 5, 6]);

  expect(await range(0, 0, 2)).toEqual([0, 1, 2]);
  expect(read()).toBe(3);
  expect(await range(0, 3, 4)).toEqual([3, 4]);
  expect(opened).toEqual([[0, 0]]);
});

test("missing offsets are skipped, also at the edges of a range", async () => {
  const { range, opened } = topicOf([0, 3, 7, 8]);

  expect(await range(0, 0, 2)).toEqual([0]);
  expect(await range(0, 3, 5)).toEqual([3]);
  // The 7 was read to see that no record lies before it. It is not lost.
  expect(await range(0, 6, 7)).toEqual([7]);
  expect(await range(0, 8, 20)).toEqual([8]);
  expect(await range(0, 21, 30)).toEqual([]);
  expect(opened).toEqual([[0, 0]]);
});

test("records between two ranges are skipped", async () => {
  const { range, opened } = topicOf([0, 1, 2, 3, 4]);

  expect(await range(0, 0, 1)).toEqual([0, 1]);
  expect(await range(0, 4, 4)).toEqual([4]);
  expect(opened).toEqual([[0, 0]]);
});

test("a step back, or another partition, opens a new reader", async () => {
  const { records, range, opened, stopped } = topicOf([0, 1, 2, 3]);
  await range(0, 0, 3);
  expect(await range(0, 2, 3)).toEqual([2, 3]);
  expect(await range(1, 1, 1)).toEqual([1]);

  expect(opened).toEqual([
    [0, 0],
    [0, 2],
    [1, 1],
  ]);
  expect(stopped()).toBe(2);
  await records.close();
  await records.close();
  expect(stopped()).toBe(3);
});

test("a failing reader fails the range", async () => {
  const next = () => Promise.reject(new Error("the consumer has ended"));
  const read = () => ({ [Symbol.asyncIterator]: () => ({ next }) });
  const records = new TopicRecords(async () => ({ read, stop: async () => undefined }));

  await expect(Array.fromAsync(records.range(at(0), 0, 1))).rejects.toThrow("the consumer has ended");
});
