import { expect, test } from "vitest";
import { parseAddress } from "../../../src/chains/address.ts";
import { isBurnAddress, mayBeBurnAddress } from "../../../src/chains/burn-addresses.ts";
import type { Family } from "../../../src/chains/chain.ts";

function isLostAt(family: Family, text: string): boolean {
  const parsed = parseAddress(family, text);
  if (!parsed.ok) throw new Error(parsed.detail);
  const isOne = isBurnAddress(family, parsed.value);
  if (isOne) expect(mayBeBurnAddress(family, text)).toBe(true);
  return isOne;
}

test.each<[Family, string]>([
  ["evm", "0x0000000000000000000000000000000000000000"],
  ["evm", "0x000000000000000000000000000000000000dEaD"],
  ["evm", "0x000000000000000000000000000000000000dead"],
  ["evm", "0x000000000000000000000000000000000000DEAD"],
  ["evm", "0x0000000000000000000000000000000000000001"],
  ["evm", "0xdEAD000000000000000042069420694206942069"],
  ["evm", "0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF"],
  ["tron", "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"],
  ["tron", "410000000000000000000000000000000000000000"],
  ["tron", "T9yD14Nj9j7xAB4dbGeiX9h8upfCg3PBbY"],
  ["tron", "41000000000000000000000000000000000000dead"],
  ["tron", "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy"],
  ["solana", "1nc1nerator11111111111111111111111111111111"],
  ["solana", "11111111111111111111111111111111"],
  ["bitcoin", "1111111111111111111114oLvT2"],
  ["bitcoin", "1BitcoinEaterAddressDontSendf59kuE"],
])("on %s funds sent to %s are lost", (family, text) => {
  expect(isLostAt(family, text)).toBe(true);
});

const ordinary: readonly [Family, string][] = [
  ["evm", "0x1000000000000000000000000000000000000001"],
  ["evm", "0xdAC17F958D2ee523a2206206994597C13D831ec7"],
  ["tron", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
  ["solana", "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"],
  ["bitcoin", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
];

test.each(ordinary)("on %s %s is no burn address", (family, text) => {
  expect(isLostAt(family, text)).toBe(false);
});

test.each(ordinary)("on %s %s is rejected as a burn address without parsing", (family, text) => {
  expect(mayBeBurnAddress(family, text)).toBe(false);
});
