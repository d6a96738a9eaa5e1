import { expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../src/chains/address.ts";
import { overlap } from "../../../../src/chains/lookalike.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import { isOrnament, isWrittenDown } from "../../../../src/service/labels/ornament.ts";
import { bookOf, labelOf } from "../../../support/book-of.ts";

const address = (text: string) => text as CanonicalAddress;

test.each([
  ["the null address", "0x0000000000000000000000000000000000000000"],
  ["a precompile", "0x0000000000000000000000000000000000000100"],
  ["a predeploy of the OP stack", "0x4200000000000000000000000000000000000006"],
  ["the burn address", "0x000000000000000000000000000000000000dead"],
  ["what books write for the coin", "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"],
])("%s was written down", (_what, text) => {
  expect(isWrittenDown("evm", address(text))).toBe(true);
});

test.each([
  ["Permit2", "evm", "0x000000000022d473030f116ddee9f6b43ac78ba3"],
  [
    "Seaport 1.6, with the longest row of zeros of the bundled contracts that were searched for",
    "evm",
    "0x0000000000000068f116a894984e2db1123eb395",
  ],
  ["a mint of Solana", "solana", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"],
] as const)("%s was searched for", (_what, family, text) => {
  expect(isWrittenDown(family, address(text))).toBe(false);
});

test("a Solana program was written down", () => {
  expect(isWrittenDown("solana", address("Vote111111111111111111111111111111111111111"))).toBe(true);
});

test("an address that no search finds imitates no label, even if the shapes match", () => {
  const book = bookOf(labelOf("10", "0x4200000000000000000000000000000000000010", "bridge"));
  const alike = address("0x4200000000000000000000000000000000100010");
  const searched = address("0x420a4bcdef123456789abcdef123456789ab0010");

  expect(overlap("evm", address("0x4200000000000000000000000000000000000010"), alike).bits).toBeGreaterThan(100);
  expect(book.wellKnownImitatedBy("evm", alike)).toBeUndefined();
  expect(book.wellKnownImitatedBy("evm", searched)?.kind).toBe("bridge");
});

/** Enough labels to give their list a bar. */
const many = Array.from({ length: 400 }, (_, i) => labelOf("56", `0x${sha256(`token ${i}`).slice(0, 40)}`, "token"));
const gfx = "0x7777ca3b39f446d4b3472d6ea5080682686a7777";

test.each([
  ["two addresses of sevens", "0x77776ab9495729e0939e9badaf7e7c3312777777", undefined],
  ["one that goes on behind the sevens", "0x7777ca3b39f446d4b3472d6ea508068268617777", gfx],
  ["one that goes on before the sevens", "0x777712345678901234567890123456789012a777", undefined],
  ["one that shares an end which is no ornament", "0x777712345678901234567890123456789a6a7777", gfx],
])("the imitation of a label in a long list: %s", (_what, candidate, imitated) => {
  const book = bookOf(labelOf("56", gfx, "token"), ...many);
  expect(book.tokenImitatedBy(labelOf("56", gfx, "token").chain, address(candidate))?.address).toBe(imitated);
});

test("in a short list, such as an operator's own wallets, an ornament is imitated like any other address", () => {
  const own = labelOf("1", "0x1111b9d7f5e3c1a0b8d6f4e2c0a9b7d5f3e12222", "exchange");
  const alike = address("0x1111a3c5e7f9b1d2c4e6f8a0b2d4c6e8f0a12222");

  expect(bookOf(own).wellKnownImitatedBy("evm", alike)?.address).toBe(own.address);
});

test("zeros in front are an ornament only together with an ornament at the end", () => {
  const permit2 = address("0x000000000022d473030f116ddee9f6b43ac78ba3");
  expect(isOrnament("evm", permit2, { prefix: 4, suffix: 4, bits: 32 })).toBe(false);
  expect(
    isOrnament("evm", address("0x0000ca3b39f446d4b3472d6ea5080682686a0000"), { prefix: 4, suffix: 4, bits: 32 }),
  ).toBe(true);
  expect(isOrnament("tron", address("T1111111111111111111111111111111111"), { prefix: 4, suffix: 4, bits: 40 })).toBe(
    false,
  );
});
