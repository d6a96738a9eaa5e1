import { expect, test } from "vitest";
import { contractTypeIds } from "../../../../src/chains/tron/message/contract-types.ts";
import { grantedBy } from "../../../../src/chains/tron/operations-bits.ts";

const bitmap = (digits: string) => digits.padEnd(64, "0");
const idsOf = (digits: string) => grantedBy(bitmap(digits)).types.map((type) => contractTypeIds[type]);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const old = [...range(0, 6), ...range(8, 20), ...range(30, 33), ...range(41, 45)];

/** Bitmaps with their decoded operations, from the project's detection notes, section 3.3, "Decoded test vectors". */
test.each([
  ["7fff1fc0033e", old],
  ["7fff1fc0037e", [...old, 46]],
  ["7fff1fc0037efb0f", [...old, 46, 48, 49, ...range(51, 59)]],
  ["02", [1]],
  ["00000080", [31]],
  ["000000000040", [46]],
  ["", []],
])("%s grants %j", (digits, ids) => {
  expect(idsOf(digits)).toEqual(ids);
  expect(grantedBy(bitmap(digits)).unknownIds).toEqual([]);
});

test("bits of reserved and higher ids are reported separately", () => {
  expect(grantedBy(bitmap("80")).unknownIds).toEqual([7]);
  expect(grantedBy("ff".repeat(32)).unknownIds).toEqual([
    7,
    ...range(21, 29),
    ...range(34, 40),
    47,
    50,
    ...range(60, 255),
  ]);
  expect(grantedBy("ff".repeat(32)).types).toHaveLength(41);
});
