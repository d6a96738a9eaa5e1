import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeCompletedAhead, encodeCompletedAhead } from "../../../../src/worker/offsets/completed-ahead.ts";

const MAX_OFFSETS = 2_700 * 8;

test("without completed offsets there is no metadata", () => {
  expect(encodeCompletedAhead(7, [])).toBe("");
  expect(decodeCompletedAhead(7, "")).toEqual([]);
});

test("the metadata has one bit per offset, from the first beyond the watermark on", () => {
  expect(encodeCompletedAhead(10, [11, 13, 18])).toBe("s1:hQ");
  expect(encodeCompletedAhead(10, [19])).toBe("s1:AAE");
  expect(decodeCompletedAhead(10, "s1:hQ")).toEqual([11, 13, 18]);
});

test("completed offsets are encoded in any order, as far as there is room, and no others are decoded", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.uniqueArray(fc.integer({ min: 1, max: 40_000 })), (watermark, ahead) => {
      const text = encodeCompletedAhead(
        watermark,
        ahead.map((each) => watermark + each),
      );
      expect(text.length).toBeLessThanOrEqual(3_603);
      const told = ahead.filter((each) => each <= MAX_OFFSETS).map((each) => watermark + each);
      expect(decodeCompletedAhead(watermark, text)).toEqual(told.toSorted((a, b) => a - b));
    }),
    { numRuns: 300 },
  );
});

describe("metadata in another format has no offsets", () => {
  test.each(["s2:hQ", "hQ", "s1:h Q", "s1:hQ==", '{"a":1}', "s1:"])("%s", (metadata) => {
    expect(decodeCompletedAhead(10, metadata)).toEqual([]);
  });
});

test("offsets below the watermark are not encoded", () => {
  expect(encodeCompletedAhead(10, [3, 10])).toBe("");
});
