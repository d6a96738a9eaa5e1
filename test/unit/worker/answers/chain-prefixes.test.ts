import { describe, expect, test } from "vitest";
import type { Chain } from "../../../../src/chains/chain.ts";
import { findChain } from "../../../../src/chains/registry.ts";
import { ChainPrefixes } from "../../../../src/worker/answers/chain-prefixes.ts";

const chain = (id: string): Chain => {
  const found = findChain(id);
  if (found === undefined) throw new Error(`${id} is no chain`);
  return found;
};

describe("a word for the chain", () => {
  test.each([
    ["1", "1", true],
    ["eth", "1", true],
    ["ETH", "1", true],
    ["ethereum", "1", true],
    ["evm", "1", true],
    ["EVM", "56", true],
    ["eip155", "56", true],
    ["eip155:1", "1", true],
    ["eip155:56", "1", false],
    ["evm:56", "56", true],
    ["eth:1", "1", true],
    ["eth:56", "56", false],
    ["chain:1", "1", true],
    ["chain:56", "1", false],
    ["56", "1", false],
    ["0x38", "56", true],
    ["0X38", "56", true],
    ["0x0038", "56", true],
    ["0x38", "1", false],
    ["0x1", "1", true],
    ["0x1", "137", false],
    ["0x89", "137", true],
    ["eip155:0x38", "56", true],
    ["EIP155:137", "137", true],
    ["eip155:0x38", "1", false],
    // Unknown numbers mean another chain, and are no words to learn.
    ["999999999999", "1", false],
    ["0xfffffffffff", "1", false],
    ["eip155:999999999999", "1", false],
    ["0x2b6653dc", "tron", true],
    ["tron:0x2b6653dc", "tron", true],
    ["eth", "56", false],
    ["ethereum", "137", false],
    ["0x", "1", true],
    ["bsc", "1", false],
    ["tron", "tron", true],
    ["trx", "tron", true],
    ["tron:728126428", "tron", true],
    ["tron:mainnet", "tron", true],
    ["evm", "tron", false],
    ["tron", "1", false],
    ["tron:mainnet", "1", false],
    ["sol", "solana", true],
    ["solana", "solana", true],
    ["solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana", true],
    // 101 is Solana's main network in Solana's own lists, and also a chain of EIP-155.
    ["solana:101", "solana", true],
    ["solana", "1", false],
    ["btc", "bitcoin", true],
    ["bip122", "bitcoin", true],
    ["bip122:000000000019d6689c085ae165831e93", "bitcoin", true],
    ["bip122", "1", false],
    ["", "1", false],
    ["eip155:", "1", false],
    [":1", "1", false],
    ["eip155:1:1", "1", false],
    ["x".repeat(32), "1", true],
    ["x".repeat(33), "1", false],
    [`1:0x${"a".repeat(40)}`, "1", false],
  ])("%s of an answer about %s: %s", (prefix, id, isNamed) => {
    expect(new ChainPrefixes().names(prefix, chain(id))).toBe(isNamed);
  });

  test("a family word stands for every chain of the family, repeatedly", () => {
    const prefixes = new ChainPrefixes();
    for (const id of ["1", "56", "1", "137"]) expect(prefixes.names("evm", chain(id))).toBe(true);
    expect(prefixes.names("137", chain("137"))).toBe(true);
  });
});

describe("a word that the registry does not know", () => {
  test("an unknown word is learned, and may stand for several chains", () => {
    const prefixes = new ChainPrefixes();
    for (const id of ["1", "56", "1", "42161", "56"]) expect(prefixes.names("mainnet", chain(id))).toBe(true);
  });

  test("a learned word is accepted in any case", () => {
    const prefixes = new ChainPrefixes();
    expect(prefixes.names("Arb1", chain("42161"))).toBe(true);
    expect(prefixes.names("ARB1", chain("42161"))).toBe(true);
  });

  test("a learned word is refused for a chain that has its own word", () => {
    const prefixes = new ChainPrefixes();
    expect(prefixes.names("arb1", chain("42161"))).toBe(true);
    expect(prefixes.names("eth-mainnet", chain("1"))).toBe(true);
    expect(prefixes.names("arb1", chain("1"))).toBe(false);
    expect(prefixes.names("arb1", chain("42161"))).toBe(true);
  });

  test("a second word is refused for a chain with its own word", () => {
    const prefixes = new ChainPrefixes();
    expect(prefixes.names("arb1", chain("42161"))).toBe(true);
    expect(prefixes.names("arb-one", chain("42161"))).toBe(false);
    expect(prefixes.names("arbitrum", chain("42161"))).toBe(true);
    // The refused word belongs to no chain yet.
    expect(prefixes.names("arb-one", chain("1"))).toBe(true);
  });

  test("a chain's own word replaces a word that several chains share", () => {
    const prefixes = new ChainPrefixes();
    expect(prefixes.names("arb1", chain("10"))).toBe(true);
    expect(prefixes.names("arb1", chain("42161"))).toBe(true);
    expect(prefixes.names("oeth", chain("10"))).toBe(true);
    expect(prefixes.names("arb1", chain("10"))).toBe(false);
    expect(prefixes.names("oeth", chain("42161"))).toBe(false);
    expect(prefixes.names("arb1", chain("42161"))).toBe(true);
  });

  test("words are learned for each service separately", () => {
    expect(new ChainPrefixes().names("arb1", chain("42161"))).toBe(true);
    expect(new ChainPrefixes().names("arb1", chain("1"))).toBe(true);
  });
});
