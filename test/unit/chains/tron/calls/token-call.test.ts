import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { readTokenCall } from "../../../../../src/chains/tron/calls/token-call.ts";
import { tokenSignatures } from "../../../../../src/chains/tron/calls/token-signatures.ts";
import { tronHexOf } from "../../../../../src/chains/tron/tron-address.ts";

const a = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const b = "TPYmHEhy5n8TCEfYGqW2rPxsghSfzghPDn";
const word = (digits: string) => digits.padStart(64, "0");
const address = (text: string, prefix = "00") => word(`${prefix}${tronHexOf(text).slice(2)}`);
const integer = (value: bigint) => word(value.toString(16));
const max = 2n ** 256n - 1n;

test.each(Object.entries(tokenSignatures))("%s is the selector of its signature", (selector, { signature }) => {
  expect(bytesToHex(keccak_256(utf8ToBytes(signature))).slice(0, 8)).toBe(selector);
});

describe("reads", () => {
  test.each([
    ["transfer", `a9059cbb${address(a)}${integer(5n)}`, { does: "transfer", from: undefined, to: a, amount: 5n }],
    [
      "transfer",
      `a9059cbb${address(a, "41")}${integer(2n ** 53n + 1n)}`,
      { does: "transfer", from: undefined, to: a, amount: 9007199254740993n },
    ],
    [
      "transferFrom",
      `23b872dd${address(a)}${address(b)}${integer(max)}`,
      { does: "transfer", from: a, to: b, amount: max },
    ],
    [
      "safeTransferFrom",
      `42842e0e${address(a)}${address(b)}${integer(7n)}`,
      { does: "transfer", from: a, to: b, amount: 7n },
    ],
    [
      "safeTransferFrom",
      `b88d4fde${address(a)}${address(b)}${integer(7n)}${integer(128n)}${integer(0n)}`,
      { does: "transfer", from: a, to: b, amount: 7n },
    ],
    [
      "safeTransferFrom",
      `f242432a${address(a)}${address(b)}${integer(7n)}${integer(3n)}${integer(160n)}${integer(0n)}`,
      { does: "transfer", from: a, to: b, amount: 3n },
    ],
    [
      "approve",
      `095ea7b3${address(a)}${integer(max)}`,
      { does: "approve", of: undefined, spender: a, amount: max, adds: false },
    ],
    [
      "increaseAllowance",
      `39509351${address(a)}${integer(1n)}`,
      { does: "approve", of: undefined, spender: a, amount: 1n, adds: true },
    ],
    [
      "increaseApproval",
      `d73dd623${address(a)}${integer(1n)}`,
      { does: "approve", of: undefined, spender: a, amount: 1n, adds: true },
    ],
    ["decreaseAllowance", `a457c2d7${address(a)}${integer(1n)}`, { does: "reduce", spender: a, amount: 1n }],
    ["decreaseApproval", `66188463${address(a)}${integer(1n)}`, { does: "reduce", spender: a, amount: 1n }],
    ["setApprovalForAll", `a22cb465${address(a)}${integer(1n)}`, { does: "approve_all", spender: a, isGranted: true }],
    ["setApprovalForAll", `a22cb465${address(a)}${integer(0n)}`, { does: "approve_all", spender: a, isGranted: false }],
    [
      "permit",
      `d505accf${address(b)}${address(a)}${integer(9n)}${integer(1n)}${integer(27n)}${word("1")}${word("2")}`,
      { does: "approve", of: b, spender: a, amount: 9n, adds: false },
    ],
    ["transferOwnership", `f2fde38b${address(a)}`, { does: "give_ownership", to: a }],
  ])("%s", (name, data, call) => {
    expect(readTokenCall(data)).toEqual({ is: "token", name, call, isBroken: false });
    expect(readTokenCall(`${data}00ff`)).toEqual({ is: "token", name, call, isBroken: false });
  });

  test("other calls by their selector", () => {
    expect(readTokenCall("d0e30db0")).toEqual({ is: "other", selector: "d0e30db0" });
    expect(readTokenCall("")).toEqual({ is: "other", selector: "" });
    expect(readTokenCall("a9059c")).toEqual({ is: "other", selector: "a9059c" });
  });

  test.each(Object.entries(tokenSignatures))("%s without its last argument is broken", (selector, { words }) => {
    const name = tokenSignatures[selector]?.signature.split("(")[0];

    expect(readTokenCall(`${selector}${word("").repeat(words)}`)).toMatchObject({ is: "token", name, isBroken: false });
    const cut = `${selector}${word("").repeat(words).slice(2)}`;
    expect(readTokenCall(cut)).toMatchObject({ is: "token", name, isBroken: true });
    expect(readTokenCall(selector)).toMatchObject({ is: "token", name, isBroken: true });
  });

  test("of an argument with dirty padding the end is the address, as old compilers read it", () => {
    const dirty = `a9059cbb${"01".padEnd(24, "0")}${tronHexOf(a).slice(2)}${integer(5n)}`;
    const call = { does: "transfer", from: undefined, to: a, amount: 5n };

    expect(readTokenCall(dirty)).toEqual({ is: "token", name: "transfer", call, isBroken: true });
  });

  test("truncated arguments read as zeros, as old compilers read them", () => {
    const spender = `095ea7b3${address(a)}`;
    const approval = (amount: bigint) => ({ does: "approve", of: undefined, spender: a, amount, adds: false });

    expect(readTokenCall(`${spender}ff`)).toMatchObject({ call: approval(0xffn << 248n), isBroken: true });
    expect(readTokenCall(spender)).toMatchObject({ call: approval(0n), isBroken: true });
  });
});
