import fetchResponse from "kafkajs/src/protocol/requests/fetch/v11/response.js";
import { expect, test } from "vitest";
import { repairFetch } from "../../../../src/adapters/kafka/fetch-repair.ts";

test("another version of kafkajs is refused: it may need no repair, or another", () => {
  expect(() => repairFetch("2.3.0")).toThrow("kafkajs is 2.3.0, and its fetches are repaired for 2.2.4 only");
});

test("a batch of 100,000 records is read", async () => {
  repairFetch();
  const { responses } = await fetchResponse.decode(answerWith(100_000));
  const messages = responses.flatMap(({ partitions }) => partitions).flatMap((each) => each.messages);
  expect([messages.length, messages[0]?.offset, messages.at(-1)?.offset]).toEqual([100_000, "7", "100006"]);
});

test("one of more ends its reader, and is named, with the way on", async () => {
  repairFetch();
  await expect(fetchResponse.decode(answerWith(100_001))).rejects.toMatchObject({
    code: "BATCH_UNREADABLE",
    retriable: false,
    message: expect.stringMatching(
      /^a batch holds more than 100000 records: topic events, partition 3, offsets 7 to 100007; to go on, .* --to-offset 100008 /,
    ),
  });
});

test("in a set of messages of the old format nothing is taken for a count", async () => {
  repairFetch();
  const set = Buffer.alloc(80, 0x7f);
  set.writeInt32BE(68, 8);
  set[16] = 1;
  const decoded = await fetchResponse.decode(answerOf(set)).catch((thrown: unknown) => thrown);
  expect(decoded).not.toMatchObject({ code: "BATCH_UNREADABLE" });
});

/** The answer to a fetch (version 11) of events/3 with one batch, from offset 7 on, of so many records without a value. */
function answerWith(count: number): Buffer {
  const records = Array.from({ length: count }, (_, i) => {
    const body = Buffer.from([0, 0, ...varint(i), 1, 1, 0]);
    return Buffer.from([...varint(body.length), ...body]);
  });
  const header = Buffer.alloc(61);
  const bytes = Buffer.concat([header, ...records]);
  bytes.writeBigInt64BE(7n, 0);
  bytes.writeInt32BE(bytes.length - 12, 8);
  bytes[16] = 2;
  bytes.writeInt32BE(count - 1, 23);
  bytes.writeInt32BE(count, 57);
  return answerOf(bytes);
}

function answerOf(records: Buffer): Buffer {
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
    Buffer.alloc(26),
    int32(-1),
    int32(-1),
    int32(records.length),
    records,
  ]);
}

/** As Kafka writes whole numbers inside a record: zigzag, seven bits a byte. */
function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value * 2;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}
