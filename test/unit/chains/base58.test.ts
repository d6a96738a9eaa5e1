import { expect, test } from "vitest";
import { base58check, base58Fault, decodeBase58check } from "../../../src/chains/base58.ts";

test.each(["0", "O", "I", "l", " ", "+", "é"])("%j is not base58", (character) => {
  expect(base58Fault(`12${character}`)).toBe("character 3 is not base58 (which has no 0, O, I or l)");
});

test("the whole alphabet is base58", () => {
  expect(base58Fault("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")).toBeUndefined();
});

test("a payload survives encoding and decoding", () => {
  const payload = Uint8Array.of(0, 1, 2, 255);

  expect(decodeBase58check(base58check.encode(payload))).toEqual({ ok: true, value: payload });
});

test.each(["", "1", "111", "2222222222"])("%j has no matching checksum", (text) => {
  const detail = "base58 checksum does not match: a character is wrong or missing";
  expect(decodeBase58check(text)).toEqual({ ok: false, detail });
});
