import fc from "fast-check";
import Encoder from "kafkajs/src/protocol/encoder.js";
import { expect, test } from "vitest";
import { repairEncoder } from "../../../../../src/adapters/kafka/kafkajs-patches/encoder-repair.ts";

type Part =
  | { readonly kind: "int"; readonly value: number }
  | { readonly kind: "long"; readonly value: number | bigint }
  | { readonly kind: "bytes"; readonly value: Buffer | string | null };

function written(parts: readonly Part[]): string {
  const encoder = new Encoder();
  for (const { kind, value } of parts) {
    if (kind === "int") encoder.writeVarInt(value);
    else if (kind === "long") encoder.writeVarLong(value);
    else encoder.writeVarIntBytes(value);
  }
  const sizes = parts.map(({ kind, value }) => (kind === "long" ? Encoder.sizeOfVarLong(value) : 0));
  return `${encoder.buffer.toString("hex")} ${sizes.join()}`;
}

const int = fc.oneof(
  fc.integer(),
  fc.constantFrom(0, -1, 63, 64, -64, -65, 2 ** 30, -(2 ** 30), 2 ** 31 - 1, -(2 ** 31)),
);
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ kind: fc.constant("int" as const), value: int }),
  fc.record({
    kind: fc.constant("long" as const),
    value: fc.oneof(int, fc.maxSafeInteger(), fc.bigInt({ min: 0n, max: 2n ** 60n })),
  }),
  fc.record({
    kind: fc.constant("bytes" as const),
    value: fc.oneof(
      fc.constant(null),
      fc.string(),
      fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
    ),
  }),
);

test("a patched encoder writes the same bytes as the original", () => {
  const cases = fc.sample(fc.array(part), { numRuns: 1_000, seed: 1 });
  const before = cases.map(written);
  repairEncoder();

  expect(cases.map(written)).toEqual(before);
});

test("another version of kafkajs is refused, since the patch may not fit", () => {
  expect(() => repairEncoder("2.3.0")).toThrow("kafkajs is 2.3.0, and its encoder is repaired for 2.2.4 only");
});
