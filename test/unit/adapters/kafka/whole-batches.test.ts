import fc from "fast-check";
import produce from "kafkajs/src/protocol/requests/produce/index.js";
import { expect, test } from "vitest";
import { recordBatch } from "../../../../src/adapters/kafka/record-batch.ts";
import { sendWholeBatches, wholeBatch } from "../../../../src/adapters/kafka/whole-batches.ts";
import type { OutRecord } from "../../../../src/kernel/stream.ts";

const AT = Date.UTC(2026, 10, 23);

type ProduceParams = Parameters<ReturnType<typeof produce.protocol>>[0];
type Message = ProduceParams["topicData"][number]["partitions"][number]["messages"][number];

const record: fc.Arbitrary<OutRecord> = fc.record({
  topic: fc.constant("verdicts"),
  key: fc.string({ unit: "grapheme", maxLength: 100 }),
  value: fc.uint8Array({ maxLength: 10_000 }).map((bytes) => Buffer.from(bytes)),
  headers: fc.dictionary(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme", maxLength: 100 }), {
    maxKeys: 5,
    noNullPrototype: true,
  }),
});

function paramsOf(...messages: readonly Message[]): ProduceParams {
  const acks = -1;
  const timeout = 30_000;
  return { acks, timeout, topicData: [{ topic: "verdicts", partitions: [{ partition: 3, messages }] }] };
}

async function encoded(params: ProduceParams, version = 7): Promise<string> {
  const { request } = produce.protocol({ version })(params);
  return `${request.apiVersion} ${(await request.encode()).buffer.toString("hex")}`;
}

const own = (records: readonly OutRecord[]) => paramsOf({ value: wholeBatch(recordBatch(records, AT)) });
const theirs = (records: readonly OutRecord[]) =>
  paramsOf(...records.map(({ key, value, headers }) => ({ key, value: Buffer.from(value), headers, timestamp: AT })));

test("a whole batch goes out in the very bytes that kafkajs makes of its records", async () => {
  sendWholeBatches();
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 30 }), async (records) => {
      expect(await encoded(own(records))).toBe(await encoded(theirs(records)));
    }),
    { numRuns: 300, seed: 1 },
  );
});

test("so does one of 1,000 records, and one of a megabyte", async () => {
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

test("what is no whole batch goes out as before", async () => {
  const message = { key: "k", value: "v", headers: { name: "text" }, timestamp: AT };
  const before = await encoded(paramsOf(message));
  sendWholeBatches();
  expect(await encoded(paramsOf(message))).toBe(before);
});

test("a whole batch with another message beside it is refused, since its place would be unclear", () => {
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

test("another version of kafkajs is refused: it may make its requests elsewhere", () => {
  expect(() => sendWholeBatches("2.3.0")).toThrow("kafkajs is 2.3.0, and whole batches are sent by 2.2.4 only");
});
