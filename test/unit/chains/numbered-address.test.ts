import { expect, test } from "vitest";
import type { CanonicalAddress } from "../../../src/chains/address.ts";
import { isNumbered } from "../../../src/chains/numbered-address.ts";

test.each([
  ["an account of Hedera", "evm", "0x000000000000000000000000000000000016f89a"],
  ["the zero address", "evm", "0x0000000000000000000000000000000000000000"],
  ["a precompile", "evm", "0x0000000000000000000000000000000000000100"],
  ["the burn address", "evm", "0x000000000000000000000000000000000000dead"],
  ["a predeploy of the OP stack", "evm", "0x4200000000000000000000000000000000000006"],
  ["a token of a factory that counts", "evm", "0xb2000000000000000000003779298b7eb3d8d501"],
  ["an asset of Astar: two rows of 15 and 16 zeros", "evm", "0xffffffff00000000000000010000000000000001"],
  ["TRON's zero address", "tron", "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"],
  ["TRON's address of the number 1", "tron", "T9yD14Nj9j7xAB4dbGeiX9h8unkKLxmGkn"],
  ["a program of Solana", "solana", "Vote111111111111111111111111111111111111111"],
  ["wrapped SOL", "solana", "So11111111111111111111111111111111111111112"],
  ["Bitcoin's hash of zeros", "bitcoin", "1111111111111111111114oLvT2"],
  ["a program of zeros in bech32", "bitcoin", "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"],
] as const)("%s was numbered", (_what, family, text) => {
  expect(isNumbered(family, text as CanonicalAddress)).toBe(true);
});

test.each([
  ["Permit2", "evm", "0x000000000022d473030f116ddee9f6b43ac78ba3"],
  ["Seaport 1.6, the longest search", "evm", "0x0000000000000068f116a894984e2db1123eb395"],
  ["two rows of nine zeros", "evm", "0x000000000a2d473030f1000000000b43ac78ba31"],
  ["rows that are too short to be counted", "evm", "0x00000001000000010000000100000001abcdef12"],
  ["19 zeros in a row, one less than it takes", "evm", "0xb2000000000000000000013779298b7eb3d8d501"],
  ["a row of another digit", "evm", "0x12b1111111111111111111111111111112abcdef"],
  ["TRON", "tron", "T9yD14Nj9j7xAAzzzzzzzzzzzzzzzzzzzz"],
  ["15 ones", "solana", "Vote111111111111111aaaaaaaaaaaaaaaaaaaaaaaaa"],
  ["a hash of bech32", "bitcoin", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
] as const)("%s was not numbered", (_what, family, text) => {
  expect(isNumbered(family, text as CanonicalAddress)).toBe(false);
});
