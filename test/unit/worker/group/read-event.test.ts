import { expect, test } from "vitest";
import { readEventRecord } from "../../../../src/worker/group/read-event.ts";

const at = { topic: "events", partition: 0, offset: 7, timestamp: 1_700_000_000_000, headers: {} };
const event = { type: "address", chain_id: "1", address: "0x7f367cc41522ce07553e823bf3be79a889debe1b" };
const value = Buffer.from(JSON.stringify(event));

test("a record with a fault is no event, and keeps its bytes", () => {
  const record = readEventRecord({ ...at, value, fault: "has 129 headers, more than 128" }, "backfill");

  expect(record.event).toEqual({ ok: false, detail: "the record has 129 headers, more than 128" });
  expect(record.bytes).toEqual(value);
});

test("a record without a fault is the event in it; without a value it is none", () => {
  expect(readEventRecord({ ...at, value }, "backfill").event).toMatchObject({ ok: true, value: event });
  expect(readEventRecord({ ...at, value: undefined }, "backfill").event).toMatchObject({ ok: false });
});
