import { expect, test } from "vitest";
import type { Chain } from "../../../src/chains/chain.ts";
import { findChain } from "../../../src/chains/registry.ts";
import { ChainPrefixes } from "../../../src/worker/chain-prefixes.ts";

const chain = (id: string): Chain => {
  const found = findChain(id);
  if (found === undefined) throw new Error(`${id} is no chain`);
  return found;
};

test.each([
  ["1", "1", true],
  ["eth", "1", true],
  ["ETH", "1", true],
  ["56", "1", false],
  ["bsc", "1", false],
  ["sol", "solana", true],
  ["solana", "1", false],
  ["", "1", false],
  ["x".repeat(32), "1", true],
  ["x".repeat(33), "1", false],
])("%s before an address that was asked on %s: %s", (prefix, id, isNamed) => {
  expect(new ChainPrefixes().names(prefix, chain(id))).toBe(isNamed);
});

test("a name that nobody knows is that of the chain at whose answer it comes first, and of no other", () => {
  const prefixes = new ChainPrefixes();
  expect(prefixes.names("arb1", chain("42161"))).toBe(true);
  expect(prefixes.names("arb1", chain("42161"))).toBe(true);
  expect(prefixes.names("arb1", chain("1"))).toBe(false);
  expect(prefixes.names("eth-mainnet", chain("1"))).toBe(true);
});

test("a chain has one such name, beside those that are known", () => {
  const prefixes = new ChainPrefixes();
  expect(prefixes.names("arb1", chain("42161"))).toBe(true);
  expect(prefixes.names("arb-one", chain("42161"))).toBe(false);
  expect(prefixes.names("arbitrum", chain("42161"))).toBe(true);
  // What was refused there is nobody's name yet.
  expect(prefixes.names("arb-one", chain("1"))).toBe(true);
});
