import { expect, test } from "vitest";
import { PartitionsSeen } from "../../../../src/adapters/kafka/partitions-seen.ts";

const at = { topic: "events", partition: 3 };

test("where a log ended is what its last fetch said, with records or without", () => {
  const seen = new PartitionsSeen();
  expect(seen.endOf(at)).toBeUndefined();
  seen.fetched(at, { end: 40, bytes: 100, until: 12 });
  seen.fetched(at, { end: 41, bytes: 0, until: undefined });

  expect(seen.endOf(at)).toBe(41);
  expect(seen.endOf({ ...at, partition: 2 })).toBeUndefined();
});

test("fetches count as repeats while they bring bytes and end where the one before ended", () => {
  const seen = new PartitionsSeen();
  const repeats = (bytes: number, until: number | undefined) => {
    seen.fetched(at, { end: 40, bytes, until });
    return seen.repeatsOf(at);
  };

  expect([repeats(10, 12), repeats(10, 12), repeats(10, 12), repeats(10, 13)]).toEqual([0, 1, 2, 0]);
  expect([repeats(10, undefined), repeats(10, undefined)]).toEqual([0, 1]);
  expect([repeats(0, undefined), repeats(0, undefined)]).toEqual([0, 0]);
});
