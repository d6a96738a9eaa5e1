import fc from "fast-check";
import Decoder from "kafkajs/src/protocol/decoder.js";
import Encoder from "kafkajs/src/protocol/encoder.js";
import { expect, test } from "vitest";
import { repairDecoder } from "../../../../src/adapters/kafka/decoder-repair.ts";

const long = fc.oneof(
  fc.integer({ min: -70, max: 70 }),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }),
);

/** What is read one after the other, and where each ends; or how the reading ends too early. */
function read(bytes: Buffer): string {
  const decoder = new Decoder(bytes);
  const found: string[] = [];
  try {
    while (decoder.offset < bytes.length) found.push(`${decoder.readVarLong()} to ${decoder.offset}`);
  } catch (thrown) {
    found.push(String(thrown));
  }
  return found.join();
}

test("a repaired decoder reads what it read before", () => {
  const cases = fc.sample(fc.array(long), { numRuns: 1_000, seed: 1 }).map((values) => {
    const encoder = new Encoder();
    for (const value of values) encoder.writeVarLong(value);
    return encoder.buffer;
  });
  // Whatever else the bytes may be, and numbers that end too early.
  const any = fc
    .sample(fc.uint8Array({ maxLength: 30 }), { numRuns: 1_000, seed: 1 })
    .map((bytes) => Buffer.from(bytes));
  const all = [...cases, ...any, Buffer.from([0x80]), Buffer.from([0])];
  const before = all.map(read);
  repairDecoder();

  expect(all.map(read)).toEqual(before);
});

test("another version of kafkajs is refused: it may need no repair, or another", () => {
  expect(() => repairDecoder("2.3.0")).toThrow("kafkajs is 2.3.0, and its decoder is repaired for 2.2.4 only");
});
