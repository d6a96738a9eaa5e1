import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { partitionOf } from "../../../../../src/adapters/kafka/producer/partition-of.ts";
import { murmur2 } from "../../../../../src/kernel/hash.ts";

interface Vector {
  readonly key: string;
  readonly murmur2: number;
  readonly of12: number;
}

/** Printed by Kafka's Java client: tools/make/make-murmur2-vectors.mjs. */
const vectors: readonly Vector[] = JSON.parse(readFileSync("test/fixtures/murmur2-vectors.json", "utf8"));

test("the vectors have every length from 0 to 40", () => {
  expect(vectors.length).toBeGreaterThanOrEqual(200);
  const lengths = new Set(vectors.map(({ key }) => key.length / 2));
  expect(Array.from({ length: 41 }, (_, length) => length).filter((length) => !lengths.has(length))).toEqual([]);
});

describe.each(vectors)("$key", (vector) => {
  const key = Buffer.from(vector.key, "hex");

  test("is hashed as in Java", () => expect(murmur2(key)).toBe(vector.murmur2));

  test("goes to the same partition as from Java", () => expect(partitionOf(key, 12)).toBe(vector.of12));

  test("is hashed equally from the middle of a buffer", () => {
    const wide = Buffer.concat([Buffer.from([7]), key, Buffer.from([7])]);
    expect(murmur2(wide.subarray(1, 1 + key.length))).toBe(vector.murmur2);
  });
});

test("a single partition takes every key", () => expect(partitionOf(Buffer.from("any"), 1)).toBe(0));
