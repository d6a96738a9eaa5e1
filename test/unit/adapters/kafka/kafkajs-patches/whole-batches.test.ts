import fc from "fast-check";
import createRequest from "kafkajs/src/protocol/request.js";
import produce from "kafkajs/src/protocol/requests/produce/index.js";
import { expect, test } from "vitest";
import { sendWholeBatches, wholeBatch } from "../../../../../src/adapters/kafka/kafkajs-patches/whole-batches.ts";
import { RecordBatch } from "../../../../../src/adapters/kafka/wire/record-batch.ts";
import type { OutRecord } from "../../../../../src/kernel/stream.ts";

const AT = Date.UTC(2026, 10, 23);

type ProduceParams = Parameters<ReturnType<typeof produce.protocol>>[0];
type Message = ProduceParams["topicData"][number]["partitions"][number]["messages"][number];

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((each) => Buffer.from(each));
const record: fc.Arbitrary<OutRecord> = fc.record({
  topic: fc.constant("verdicts"),
  key: fc.oneof(fc.string({ unit: "grapheme", maxLength: 100 }), bytes(100)),
  value: fc.oneof(
    bytes(10_000),
    fc.string({ maxLength: 300 }),
    fc.string({ unit: "binary", maxLength: 3_000, size: "max" }),
  ),
  headers: fc.dictionary(
    fc.string({ unit: "grapheme" }),
    fc.oneof(fc.string({ unit: "grapheme", maxLength: 100 }), bytes(100)),
    { maxKeys: 5, noNullPrototype: true },
  ),
});

function paramsOf(...messages: readonly Message[]): ProduceParams {
  const acks = -1;
  const timeout = 30_000;
  return { acks, timeout, topicData: [{ topic: "verdicts", partitions: [{ partition: 3, messages }] }] };
}

/** The bytes of a sent request. */
async function encoded(params: ProduceParams, clientId = "weir-test"): Promise<string> {
  const { request } = produce.protocol({ version: 7 })(params);
  return (await createRequest({ correlationId: 5, clientId, request })).buffer.toString("hex");
}

const LARGE = 2 ** 30;
const batchOf = (records: readonly OutRecord[], likelyBytes?: number) => {
  const batch = new RecordBatch(likelyBytes);
  for (const each of records) expect(batch.add(each, LARGE)).toBe(true);
  return batch;
};
const sent = (batch: RecordBatch) => paramsOf({ value: batch.bytes(AT) });
const own = (records: readonly OutRecord[]) => sent(batchOf(records));
const bufferOf = (value: string | Uint8Array) => (typeof value === "string" ? value : Buffer.from(value));
const theirs = (records: readonly OutRecord[]) =>
  paramsOf(
    ...records.map(({ key, value, headers }) => ({
      key: bufferOf(key),
      value: bufferOf(value),
      headers: Object.fromEntries(Object.entries(headers).map(([name, each]) => [name, bufferOf(each)])),
      timestamp: AT,
    })),
  );

test("a whole batch is sent with the same bytes that kafkajs makes of its records", async () => {
  sendWholeBatches();
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 30 }), async (records) => {
      expect(await encoded(own(records))).toBe(await encoded(theirs(records)));
    }),
    { numRuns: 300, seed: 1 },
  );
});

// The header of a request takes 48 bytes and the client's name, and the room before a batch is 512.
test.each([10, 464, 465, 468, 469, 2_000])(
  "a batch has the same bytes for a client name of %i characters",
  async (length) => {
    const clientId = "c".repeat(length);
    sendWholeBatches();
    const records = [{ topic: "verdicts", key: "evm:1", value: "text", headers: {} }];
    const expected = await encoded(theirs(records), clientId);
    expect(await encoded(own(records), clientId)).toBe(expected);
    // A buffer of other code has no room before it.
    const bytes = Buffer.concat([Buffer.from("not ours"), batchOf(records).bytes(AT)]).subarray(8);
    expect(await encoded(paramsOf({ value: wholeBatch(bytes) }), clientId)).toBe(expected);
    expect(bytes.buffer.slice(bytes.byteOffset - 8, bytes.byteOffset)).toEqual(
      new Uint8Array(Buffer.from("not ours")).buffer,
    );
  },
);

test("sent bytes are not changed by a second send, since they may still be in flight", async () => {
  sendWholeBatches();
  const batch = batchOf([{ topic: "verdicts", key: "evm:1", value: "text", headers: {} }]);
  const { request } = produce.protocol({ version: 7 })(sent(batch));
  const first = (await createRequest({ correlationId: 5, clientId: "weir-test", request })).buffer;
  const before = first.toString("hex");
  await encoded(paramsOf({ value: batch.bytes(AT + 1) }), "another client");
  expect(first.toString("hex")).toBe(before);
});

test("the two parts of a split batch have the same bytes, for any split", async () => {
  sendWholeBatches();
  const some = fc.array(record, { minLength: 2, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(some, fc.nat(), async (records, at) => {
      const count = 1 + (at % (records.length - 1));
      const [first, rest] = batchOf(records).split(count);
      expect([first.count, rest.count]).toEqual([count, records.length - count]);
      expect(await encoded(sent(first))).toBe(await encoded(theirs(records.slice(0, count))));
      expect(await encoded(sent(rest))).toBe(await encoded(theirs(records.slice(count))));
    }),
    { numRuns: 200, seed: 1 },
  );
});

test("a record that exceeds the limit is removed again, but never the first one", async () => {
  sendWholeBatches();
  const [small, large] = [100, 3_000].map((bytes) => ({
    topic: "verdicts",
    key: "evm:1",
    value: "x".repeat(bytes),
    headers: {},
  }));
  if (small === undefined || large === undefined) throw new Error("there are two");
  const alone = await encoded(theirs([large]));
  const single = new RecordBatch();
  expect(single.add(large, 10)).toBe(true);
  expect(single.add(small, 10)).toBe(false);
  expect(await encoded(sent(single))).toBe(alone);

  const room = single.size;
  const batch = batchOf([small]);
  expect(batch.add(large, room)).toBe(false);
  expect(batch.count).toBe(1);
  expect(await encoded(sent(batch))).toBe(await encoded(theirs([small])));
  // Its header and the first record are the difference.
  const both = batchOf([small, large]).size;
  expect(batch.add(large, both - 1)).toBe(false);
  expect(batch.add(large, both)).toBe(true);
  expect(await encoded(sent(batch))).toBe(await encoded(theirs([small, large])));
});

test("a batch that is sent again is unchanged except for its time", () => {
  const batch = batchOf([{ topic: "verdicts", key: "evm:1", value: "text", headers: {} }]);
  const first = batch.bytes(AT).toString("hex");
  expect(batch.bytes(AT + 1).toString("hex")).not.toBe(first);
  expect(batch.bytes(AT).toString("hex")).toBe(first);
});

test("batches of 1,000 records and of a megabyte have the same bytes", async () => {
  sendWholeBatches();
  const some = (count: number, bytes: number): OutRecord[] =>
    Array.from({ length: count }, (_, i) => ({
      topic: "verdicts",
      key: `evm:${i}`,
      value: Buffer.alloc(bytes, i),
      headers: { "weir-decision": "ALLOW" },
    }));
  for (const records of [some(1_000, 900), some(1, 2 ** 20)]) {
    expect((await encoded(own(records))) === (await encoded(theirs(records)))).toBe(true);
  }
});

test("a message that is no whole batch is sent as before", async () => {
  const message = { key: "k", value: "v", headers: { name: "text" }, timestamp: AT };
  const before = await encoded(paramsOf(message));
  sendWholeBatches();
  expect(await encoded(paramsOf(message))).toBe(before);
});

test("a whole batch with another message beside it is refused, since their order would be unclear", () => {
  sendWholeBatches();
  const batch = { value: wholeBatch(Buffer.from("batch")) };
  expect(() => produce.protocol({ version: 7 })(paramsOf(batch, { value: "v" }))).toThrow(
    "a whole batch is sent with nothing beside it",
  );
});

test("a broker that is too old for such batches gets none", () => {
  sendWholeBatches();
  const batch = { value: wholeBatch(Buffer.from("batch")) };
  expect(() => produce.protocol({ version: 2 })(paramsOf(batch))).toThrow(
    "the broker takes no batches of the format since Kafka 0.11",
  );
});

test("another version of kafkajs is refused, since it may encode requests elsewhere", () => {
  expect(() => sendWholeBatches("2.3.0")).toThrow("kafkajs is 2.3.0, and whole batches are sent by 2.2.4 only");
});
