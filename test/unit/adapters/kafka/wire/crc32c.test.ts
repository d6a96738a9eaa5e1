import fc from "fast-check";
import kafkajsCrc32c from "kafkajs/src/protocol/recordBatch/crc32C/crc32C.js";
import { expect, test } from "vitest";
import { crc32c } from "../../../../../src/adapters/kafka/wire/crc32c.ts";

// Source: RFC 3720, B.4.
test.each([
  ["32 zeros", Buffer.alloc(32), 0x8a9136aa],
  ["32 ones", Buffer.alloc(32, 0xff), 0x62a8ab43],
  ["ascending", Buffer.from(Array.from({ length: 32 }, (_, i) => i)), 0x46dd794e],
  ["descending", Buffer.from(Array.from({ length: 32 }, (_, i) => 31 - i)), 0x113fdb5c],
  ["123456789", Buffer.from("123456789"), 0xe3069283],
  ["nothing", Buffer.alloc(0), 0],
])("%s", (_, bytes, sum) => {
  expect(crc32c(bytes)).toBe(sum);
});

test("for any bytes at any position the checksum equals that of kafkajs", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(8), (bytes, from) => {
      const part = Buffer.from(bytes).subarray(from);
      expect(crc32c(part)).toBe(kafkajsCrc32c(part));
    }),
    { numRuns: 1_000, seed: 1 },
  );
});
