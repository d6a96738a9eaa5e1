import { expect, test } from "vitest";
import { OwnRecord } from "../../../../../src/worker/consumer/records/own-record.ts";

const record = {
  topic: "live",
  partition: 3,
  offset: 7,
  timestamp: 1_700_000_000_000,
  headers: { traceparent: "00-t" },
};

test("the copy keeps the record with every byte of its value, whatever happens to the original memory", () => {
  const all = Uint8Array.from({ length: 258 }, (_, i) => i - 1);
  const own = new OwnRecord({ ...record, value: all.subarray(1, 257) });
  all.fill(0);

  const { topic, partition, offset, timestamp, headers, value } = own;
  expect({ topic, partition, offset, timestamp, headers }).toEqual(record);
  expect(Uint8Array.from(value ?? [])).toEqual(Uint8Array.from({ length: 256 }, (_, i) => i));
});

test("an empty value differs from no value", () => {
  expect(new OwnRecord({ ...record, value: new Uint8Array() }).value).toHaveLength(0);
  expect(new OwnRecord({ ...record, value: undefined }).value).toBe(undefined);
});
