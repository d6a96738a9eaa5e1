import { encodeErrorResult, type Hex, hexToBytes, parseAbi } from "viem";
import { expect, test } from "vitest";
import { reasonOf } from "../../../../src/service/evm-transactions/reason.ts";

const abi = parseAbi(["error Error(string)", "error Panic(uint256)"]);
const said = (text: string): Hex => encodeErrorResult({ abi, errorName: "Error", args: [text] });

test.each<[string, Hex, string]>([
  ["nothing", "0x", "it gives no reason"],
  ["words", said("too late"), '"too late"'],
  ["words that would steer a terminal", said("a\u001b[2J\u202e\nb"), '"a?[2J??b"'],
  ["very many words", said("x".repeat(500)), `"${"x".repeat(120)}"`],
  ["no words", said(""), "error 0x08c379a0"],
  ["words that are cut", said("too late").slice(0, 80) as Hex, "error 0x08c379a0"],
  ["a panic", encodeErrorResult({ abi, errorName: "Panic", args: [0x11n] }), "panic 0x11"],
  ["an error of its own", "0x12345678aa", "error 0x12345678"],
  ["a byte", "0xff", "error 0xff"],
])("the reason of a failed call that returns %s", (_name, returned, reason) => {
  expect(reasonOf(hexToBytes(returned))).toBe(reason);
});
