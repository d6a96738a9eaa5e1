import { expect, test } from "vitest";
import {
  codeLength,
  instructions,
  jumpTargets,
  numberAt,
  parseHex,
  toHex,
} from "../../../../src/evm-analysis/machine/code.ts";

test.each([
  ["0x6001", [0x60, 0x01]],
  [" 60FF\n", [0x60, 0xff]],
  ["", []],
  ["0x", []],
])("reads %j", (text, bytes) => {
  expect(parseHex(text)).toEqual(Uint8Array.from(bytes));
});

test.each(["0x600", "60 01", "zz", "0x0x60", "60".repeat((1 << 20) + 1)])("refuses text that is no hex", (text) => {
  expect(parseHex(text)).toBeUndefined();
});

test("writes the bytes that it reads", () => {
  expect(toHex(Uint8Array.from([0, 15, 255]))).toBe("000fff");
});

test("bytes after the end are zero", () => {
  expect(numberAt(Uint8Array.from([1, 2]), 1, 3)).toBe(0x020000n);
});

test("data of PUSH are neither an instruction nor a jump target", () => {
  const code = Uint8Array.from([0x61, 0x5b, 0xff, 0x5b, 0x00]);

  expect([...instructions(code)]).toEqual([
    [0, 0x61],
    [3, 0x5b],
    [4, 0x00],
  ]);
  expect(jumpTargets(code)).toEqual(new Set([3]));
});

test("the metadata of solc is cut off, and bytes that only look like a length are not", () => {
  const metadata = `a264697066735822${"12".repeat(34)}64736f6c63430008250033`;
  const code = parseHex(`6001600055${metadata}`) ?? new Uint8Array();

  expect(codeLength(code)).toBe(5);
  expect(codeLength(Uint8Array.from([0x60, 0x01, 0x00, 0x00, 0x00, 0x02]))).toBe(6);
});
