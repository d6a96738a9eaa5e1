import fc from "fast-check";
import { compress as packLz4 } from "lz4js";
import { compress as packSnappy } from "snappyjs";
import { describe, expect, test } from "vitest";
import { BatchUnreadableError } from "../../../../../src/adapters/kafka/kafkajs-patches/batch-unreadable-error.ts";
import { unpackLz4 } from "../../../../../src/adapters/kafka/wire/unpack-lz4.ts";
import { unpackSnappy } from "../../../../../src/adapters/kafka/wire/unpack-snappy.ts";

const LIMIT = 1024 * 1024;

/** Bytes that repeat at near and far distances, as records do. */
const payload = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 100 }),
      fc
        .tuple(fc.uint8Array({ minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 3_000 }))
        .map(([unit, times]) => Buffer.concat(Array.from({ length: times }, () => unit))),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.concat(parts));

describe.each([
  ["snappy", packSnappy, unpackSnappy],
  ["lz4", (bytes: Buffer) => Buffer.from(packLz4(bytes)), unpackLz4],
] as const)("%s", (_name, pack, unpack) => {
  test("packed data of another library unpacks unchanged", () => {
    fc.assert(
      fc.property(payload, (bytes) => {
        expect(unpack(pack(bytes), LIMIT).equals(bytes)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test("a packed stream with one changed byte ends within the limit, or is refused", () => {
    fc.assert(
      fc.property(payload, fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, where, flip) => {
        const changed = Buffer.from(pack(bytes));
        const at = where % changed.length;
        changed[at] = (changed[at] ?? 0) ^ flip;
        expectBounded(() => unpack(changed, LIMIT));
      }),
      { numRuns: 500 },
    );
  });

  test("any bytes end within the limit, or are refused", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => expectBounded(() => unpack(bytes, 1_000))),
      { numRuns: 1_000 },
    );
  });
});

function expectBounded(unpack: () => Buffer): void {
  try {
    expect(unpack().length).toBeLessThanOrEqual(LIMIT);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(BatchUnreadableError);
  }
}
