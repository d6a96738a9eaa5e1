import { keccak_256 } from "@noble/hashes/sha3.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keccak256 } from "../../../../src/chains/evm/keccak256.ts";

test("the hash of empty input matches Ethereum's yellow paper, not SHA-3", () => {
  const hex = Buffer.from(keccak256(new Uint8Array())).toString("hex");

  expect(hex).toBe("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
});

test("the hash of any bytes matches an independent implementation, across the blocks of 136", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(Buffer.from(keccak256(bytes))).toEqual(Buffer.from(keccak_256(bytes)));
    }),
  );
});

test("a later hash changes no earlier one", () => {
  const first = keccak256(Uint8Array.of(1));
  const copy = Uint8Array.from(first);

  keccak256(Uint8Array.of(2));

  expect(first).toEqual(copy);
});
