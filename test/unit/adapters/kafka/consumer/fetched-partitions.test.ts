import { expect, test } from "vitest";
import { FetchedPartitions } from "../../../../../src/adapters/kafka/consumer/fetched-partitions.ts";

const at = { topic: "events", partition: 3 };

test("the end of a log is the one of its last fetch", () => {
  const seen = new FetchedPartitions();
  expect(seen.endOf(at)).toBeUndefined();
  seen.fetched(at, 40);
  seen.fetched(at, 41);

  expect(seen.endOf(at)).toBe(41);
  expect(seen.endOf({ ...at, partition: 2 })).toBeUndefined();
});

test("an end that the brokers report is kept until a fetch has another, and counts as no fetch", () => {
  const seen = new FetchedPartitions();
  seen.told(at, 40);
  expect([seen.endOf(at), seen.fetchesOf(at)]).toEqual([40, 0]);
  seen.fetched(at, 41);
  seen.told(at, 45);
  expect([seen.endOf(at), seen.fetchesOf(at)]).toEqual([45, 1]);
});

test("fetches with the same bytes are counted, until a fetch has other bytes or none", () => {
  const seen = new FetchedPartitions();
  const repeats = () => seen.repeatsOf(at);
  expect(repeats()).toBeUndefined();
  seen.fetched(at, 40, 7);
  expect(repeats()).toBeUndefined();
  seen.fetched(at, 40, 7);
  seen.fetched(at, 41, 7);
  seen.told(at, 42);
  expect(repeats()).toEqual({ fetches: 2, offset: 7 });
  seen.fetched(at, 41, 9);
  expect(repeats()).toBeUndefined();
  seen.fetched(at, 41, 9);
  seen.fetched(at, 41);
  expect(repeats()).toBeUndefined();
});

test("a batch that is read in parts is no repeat", () => {
  const seen = new FetchedPartitions();
  for (let part = 0; part < 200; part++) {
    seen.fetched(at, 4_000, 7);
    seen.progressed(at);
  }
  seen.fetched(at, 4_000, 7);
  expect(seen.repeatsOf(at)).toBeUndefined();
});
