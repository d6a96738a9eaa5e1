import { zstdCompressSync } from "node:zlib";
import Batch from "kafkajs/src/consumer/batch.js";
import fetchResponse from "kafkajs/src/protocol/requests/fetch/v11/response.js";
import { beforeAll, describe, expect, test } from "vitest";
import { fetchedPartitions } from "../../../../../src/adapters/kafka/consumer/fetched-partitions.ts";
import { repairFetch } from "../../../../../src/adapters/kafka/kafkajs-patches/fetch-repair.ts";

test("another version of kafkajs is refused, since the patch may not fit", () => {
  expect(() => repairFetch("2.3.0")).toThrow("kafkajs is 2.3.0, and its fetches are repaired for 2.2.4 only");
});

beforeAll(() => repairFetch());

test("a batch of 100,000 records is read", async () => {
  const { responses } = await fetchResponse.decode(answerWith(100_000));
  const messages = responses.flatMap(({ partitions }) => partitions).flatMap((each) => each.messages);
  expect([messages.length, messages[0]?.offset, messages.at(-1)?.offset]).toEqual([100_000, "7", "100006"]);
});

test("a batch with more records ends its reader, and the error names it with the remedy", async () => {
  await expect(fetchResponse.decode(answerWith(100_001))).rejects.toMatchObject({
    code: "BATCH_UNREADABLE",
    retriable: false,
    message: expect.stringMatching(
      /^a batch holds more than 100000 records: topic events, partition 3, offsets 7 to 100007; to go on, .* --to-offset 100008 /,
    ),
  });
});

test("in a message set of the old format no field is taken for a count", async () => {
  const set = Buffer.alloc(80, 0x7f);
  set.writeInt32BE(68, 8);
  set[16] = 1;
  await expect(fetchResponse.decode(answerOf(set))).rejects.toThrow(
    /^a batch does not decode: .*topic events, partition 3/,
  );
});

describe("a reader of kafkajs goes on behind the last complete batch", () => {
  const read = async (records: Buffer, fetched = "7") => {
    const { responses } = await fetchResponse.decode(answerOf(records));
    const [partition] = responses.flatMap(({ partitions }) => partitions);
    if (partition === undefined) throw new Error("no partition");
    return new Batch("events", fetched, partition);
  };

  test("that compaction left without a record", async () => {
    const batch = await read(batchOf([], { from: 7, lastDelta: 4 }));

    expect([batch.messages.length, batch.isEmptyDueToFiltering(), batch.lastOffset()]).toEqual([0, true, "11"]);
  });

  test("that lacks its last records", async () => {
    const batch = await read(batchOf([record(0), record(1)], { from: 7, lastDelta: 4 }));

    expect(batch.messages.map(({ offset }) => offset)).toEqual(["7", "8"]);
    expect(batch.lastOffset()).toBe("11");
  });

  test("but not behind a truncated batch", async () => {
    const [first, second] = [batchOf([record(0)], { from: 7 }), batchOf([record(0)], { from: 8 })];
    const batch = await read(Buffer.concat([first, second.subarray(0, -1)]));

    expect(batch.lastOffset()).toBe("7");
  });
});

describe("headers of a record", () => {
  const messagesOf = async (records: Buffer) => {
    const { responses } = await fetchResponse.decode(answerOf(records));
    return responses.flatMap(({ partitions }) => partitions).flatMap((each) => each.messages);
  };
  const named = (count: number) => Array.from({ length: count }, (_, i) => [`name-${i}`, `value-${i}`] as const);

  test("are read up to 128, and a repeated one is a list", async () => {
    const headers = [...named(126), ["twice", "a"], ["twice", "b"]] as const;
    const [message] = await messagesOf(batchOf([record(0, headers)], { from: 7 }));

    expect(Object.keys(message?.headers ?? {})).toHaveLength(127);
    expect(message?.headers["name-125"]?.toString()).toBe("value-125");
    expect(message?.headers["twice"]).toEqual([Buffer.from("a"), Buffer.from("b")]);
  });

  test("above the limit are counted and skipped, and the record and later records stay", async () => {
    const messages = await messagesOf(batchOf([record(0, named(12_000)), record(1)], { from: 7 }));

    expect(messages.map(({ offset, headers }) => [offset, Object.keys(headers).length])).toEqual([
      ["7", 0],
      ["8", 0],
    ]);
    expect(messages[0]).toMatchObject({ headerCount: 12_000 });
  });

  test("with the names of object members are ordinary headers", async () => {
    const [message] = await messagesOf(
      batchOf(
        [
          record(0, [
            ["__proto__", "a"],
            ["constructor", "b"],
          ]),
        ],
        { from: 7 },
      ),
    );

    expect(Object.entries(message?.headers ?? {}).map(([name, value]) => [name, String(value)])).toEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
    ]);
  });
});

describe("a batch in zstd", () => {
  const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
  const packed = (payload: Buffer, split: readonly number[]) => {
    const ends = [...split, payload.length];
    return ends.map((end, i) => zstdCompressSync(payload.subarray(ends[i - 1] ?? 0, end)));
  };
  const payload = Buffer.concat([record(0), record(1), record(2)]);

  test.each([
    ["of one frame", packed(payload, [])],
    ["of three frames", packed(payload, [5, 9])],
    ["with skippable frames", packed(payload, [4]).flatMap((frame) => [skippable, frame, skippable])],
  ])("%s is read completely", async (_name, frames) => {
    const answer = answerOf(batchOf(frames, { from: 7, count: 3, attributes: 4 }));
    const { responses } = await fetchResponse.decode(answer);

    expect(responses[0]?.partitions[0]?.messages.map(({ offset }) => offset)).toEqual(["7", "8", "9"]);
  });
});

test.each([
  [
    "records that are cut short",
    batchOf([record(0).subarray(0, 4)], { from: 7, count: 1 }),
    "holds records that are cut short",
  ],
  ["more records than there are", batchOf([record(0)], { from: 7, count: 2 }), "holds records that are cut short"],
  [
    "a record of another length",
    batchOf([Buffer.from([16, 0, 0, 0, 1, 1, 0, 0, 0])], { from: 7, count: 1 }),
    "holds a record of another length",
  ],
  ["a codec that Kafka does not know", batchOf([record(0)], { from: 7, attributes: 7 }), "is packed by codec 7"],
  ["what is no zstd", batchOf([record(0)], { from: 7, attributes: 4 }), "a zstd batch"],
])("%s ends its reader with the position and the remedy", async (_name, records, said) => {
  const decoding = fetchResponse.decode(answerOf(records));

  await expect(decoding).rejects.toMatchObject({ code: "BATCH_UNREADABLE", retriable: false });
  await expect(decoding).rejects.toThrow(said);
  await expect(decoding).rejects.toThrow(/topic events, partition 3, offsets 7 to \d+; to go on, .*--to-offset \d+ /);
});

interface BatchFields {
  readonly from: number;
  /** Offset of its last record relative to the first; by default from `count`. */
  readonly lastDelta?: number;
  readonly count?: number;
  readonly attributes?: number;
}

/** A batch in a broker's format. @param parts its records, or the packed records. */
function batchOf(parts: readonly Buffer[], fields: BatchFields): Buffer {
  const { from, count = parts.length, lastDelta = Math.max(0, count - 1), attributes = 0 } = fields;
  const bytes = Buffer.concat([Buffer.alloc(61), ...parts]);
  bytes.writeBigInt64BE(BigInt(from), 0);
  bytes.writeInt32BE(bytes.length - 12, 8);
  bytes[16] = 2;
  bytes.writeInt16BE(attributes, 21);
  bytes.writeInt32BE(lastDelta, 23);
  bytes.writeInt32BE(count, 57);
  return bytes;
}

/** A record without key and value. */
function record(delta: number, headers: readonly (readonly [string, string])[] = []): Buffer {
  const text = (value: string) => [Buffer.from(varint(Buffer.byteLength(value))), Buffer.from(value)];
  const body = Buffer.concat([
    Buffer.from([0, 0, ...varint(delta), 1, 1, ...varint(headers.length)]),
    ...headers.flatMap(([name, value]) => [...text(name), ...text(value)]),
  ]);
  return Buffer.concat([Buffer.from(varint(body.length)), body]);
}

/** The answer to a fetch (version 11) of events/3, with one batch of `count` records from offset 7 on. */
function answerWith(count: number): Buffer {
  return answerOf(
    batchOf(
      Array.from({ length: count }, (_, i) => record(i)),
      { from: 7 },
    ),
  );
}

/** @param end the high watermark; -1 where the broker refuses the partition. */
function answerOf(records: Buffer, { errorCode = 0, end = 0 } = {}): Buffer {
  const int32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(value);
    return bytes;
  };
  const topic = Buffer.from("events");
  return Buffer.concat([
    Buffer.alloc(10),
    int32(1),
    Buffer.from([0, topic.length]),
    topic,
    int32(1),
    int32(3),
    Buffer.from([0, errorCode]),
    int32(end < 0 ? -1 : 0),
    int32(end),
    Buffer.alloc(16),
    int32(-1),
    int32(-1),
    int32(records.length),
    records,
  ]);
}

describe("the end of a partition in a fetch is kept", () => {
  const at = { topic: "events", partition: 3 };
  const fetched = async (records: Buffer, told: Parameters<typeof answerOf>[1]) => {
    await fetchResponse.decode(answerOf(records, told)).catch(() => undefined);
    return fetchedPartitions.endOf(at);
  };

  test("for every fetch: without records, unreadable, or in the old format", async () => {
    expect(await fetched(Buffer.alloc(0), { end: 40 })).toBe(40);
    expect(fetchedPartitions.repeatsOf(at)).toBeUndefined();
    expect(await fetched(batchOf([record(0)], { from: 7 }).fill(0xff, 61), { end: 41 })).toBe(41);
    const old = Buffer.alloc(80, 0x7f);
    old.writeInt32BE(68, 8);
    old[16] = 1;
    expect(await fetched(old, { end: 42 })).toBe(42);
  });

  test("but not for a fetch that the broker refused", async () => {
    expect(await fetched(Buffer.alloc(0), { end: 43 })).toBe(43);
    expect(await fetched(Buffer.alloc(0), { errorCode: 6, end: -1 })).toBe(43);
  });

  test("repeated bytes are counted, also those of a truncated batch", async () => {
    const cut = batchOf([record(0)], { from: 7 }).subarray(0, 30);
    for (let i = 0; i < 3; i++) await fetched(cut, { end: 44 });

    expect(fetchedPartitions.repeatsOf(at)).toEqual({ fetches: 2, offset: 7 });
  });
});

/** Kafka's encoding of integers in a record: zigzag, seven bits a byte. */
function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value * 2;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}
