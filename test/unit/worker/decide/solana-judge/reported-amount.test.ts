import { expect, test } from "vitest";
import { decimalsIn, isSameAmount } from "../../../../../src/worker/decide/solana-judge/reported-amount.ts";

test.each<[string, bigint, number | undefined, boolean]>([
  ["", 5n, 9, true],
  ["-1.5", -1_500_000_000n, 9, true],
  ["+1.500", 1_500_000_000n, 9, true],
  ["1.5", -1_500_000_000n, 9, false],
  ["15", 1_500_000_000n, 9, false],
  ["1.5", 1_500_000_000n, 6, false],
  ["0", 0n, 9, true],
  ["0", 1n, 9, false],
  ["1e-9", 1n, 9, true],
  ["5E+3", 5_000n, 0, true],
  ["0.0000000001", 0n, 9, false],
  // A service that uses floating-point numbers rounds.
  ["12345678.12345679", 12_345_678_123_456_789n, 9, true],
  ["12345692", 12_345_678_123_456_789n, 9, false],
  ["1000001", 1_000_000n, 0, true],
  ["1000002", 1_000_000n, 0, false],
  ["7", 3n, undefined, true],
  ["-7", 3n, undefined, false],
  ["1,5", 1_500_000_000n, 9, false],
  ["NaN", 5n, 9, false],
  ["1.", 1n, 0, false],
])("%j is a change of %d with %s decimals: %s", (told, delta, decimals, isSame) => {
  expect(isSameAmount(told, delta, decimals)).toBe(isSame);
});

test.each([
  ["9", 9],
  ["0", 0],
  ["255", 255],
  ["", undefined],
  ["-1", undefined],
  ["1e9", undefined],
  ["1000000000", undefined],
])("the divisor %j states %s decimals", (divisor, decimals) => {
  expect(decimalsIn(divisor)).toBe(decimals);
});
