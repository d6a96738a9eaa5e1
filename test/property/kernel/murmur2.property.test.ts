import fc from "fast-check";
import theirs from "kafkajs/src/producer/partitioners/default/murmur2.js";
import { expect, test } from "vitest";
import { partitionOf, partitionOfText } from "../../../src/adapters/kafka/producer/partition-of.ts";
import { murmur2 } from "../../../src/kernel/hash.ts";

test("kafkajs hashes every key alike", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (key) => {
      expect(murmur2(key)).toBe(theirs(Buffer.from(key)));
    }),
    { numRuns: 1_000 },
  );
});

test("a text and its bytes get the same partition, whatever was asked before", () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary", maxLength: 400, size: "max" }),
    fc.string({ maxLength: 300, size: "max" }),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 1_000 }), (key, partitions) => {
      expect(partitionOfText(key, partitions)).toBe(partitionOf(Buffer.from(key), partitions));
    }),
    { numRuns: 1_000 },
  );
});

test("every key has a partition", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.integer({ min: 1, max: 1_000 }), (key, partitions) => {
      const partition = partitionOf(key, partitions);
      expect(Number.isInteger(partition) && partition >= 0 && partition < partitions).toBe(true);
    }),
  );
});
