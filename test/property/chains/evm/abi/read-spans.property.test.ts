import fc from "fast-check";
import { expect, test } from "vitest";
import { ReadSpans } from "../../../../../src/chains/evm/abi/read-spans.ts";

const span = fc.tuple(fc.nat(60), fc.nat(12)).map(([from, length]) => [from, from + length] as const);

test("spans overlap when two of them share a digit", () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 6 }), (spans) => {
      const read = new ReadSpans();
      for (const [from, to] of spans) read.add(from, to);
      const taken = spans.flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i));

      expect(read.overlap()).toBe(new Set(taken).size < taken.length);
    }),
  );
});
