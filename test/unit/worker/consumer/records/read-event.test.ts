import { expect, test } from "vitest";
import { readEventRecord } from "../../../../../src/worker/consumer/records/read-event.ts";

const at = { topic: "events", partition: 0, offset: 7, timestamp: 1_700_000_000_000, headers: {} };
const event = { type: "address", chain_id: "1", address: "0x7f367cc41522ce07553e823bf3be79a889debe1b" };
const value = Buffer.from(JSON.stringify(event));

test("a record with a fault is no event, and keeps its bytes", () => {
  const record = readEventRecord({ ...at, value, fault: "has 129 headers, more than 128" }, "backfill");

  expect(record.event).toEqual({ ok: false, detail: "the record has 129 headers, more than 128" });
  expect(record.bytes).toEqual(value);
});

test("a record without a fault is read as its event, and without a value it is no event", () => {
  expect(readEventRecord({ ...at, value }, "backfill").event).toMatchObject({ ok: true, value: event });
  expect(readEventRecord({ ...at, value: undefined }, "backfill").event).toMatchObject({ ok: false });
});

test.each([
  ["as text", Buffer.from("wallet-7\u00e9"), { "weir-key": "wallet-7\u00e9" }],
  ["an empty one", Buffer.alloc(0), { "weir-key": "" }],
  ["in base64 where it is no UTF-8", Buffer.from([0xff, 0]), { "weir-key-base64": "/wA=" }],
  ["up to 512 bytes", Buffer.alloc(512, "k"), { "weir-key": "k".repeat(512) }],
  ["and no longer one", Buffer.alloc(513, "k"), {}],
  ["up to 384 bytes that are no UTF-8", Buffer.alloc(384, 0xff), { "weir-key-base64": "////".repeat(128) }],
  ["and no more of them", Buffer.alloc(385, 0xff), {}],
])("a record that is no event keeps its key, %s, beside its own headers", (_, key, kept) => {
  const headers = { "x-correlation-id": "c-7" };
  const record = { ...at, headers, key };

  expect(readEventRecord({ ...record, value: Buffer.from("{}") }, "backfill").headers).toEqual({ ...headers, ...kept });
  expect(readEventRecord({ ...record, value }, "backfill").headers).toEqual(headers);
});
