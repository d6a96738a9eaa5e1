import { expect, test } from "vitest";
import { parseAddress } from "../../../../src/chains/address.ts";
import { programs, WRAPPED_SOL } from "../../../../src/chains/solana/programs.ts";
import { mimicsSystem } from "../../../../src/chains/solana/system-addresses.ts";

test.each([
  ...Object.values(programs),
  WRAPPED_SOL,
  "So11111111111111111111111111111111111111111",
  "StakeConfig11111111111111111111111111111111",
  "Feature111111111111111111111111111111111111",
  "LoaderV411111111111111111111111111111111111",
  "1nc1nerator11111111111111111111111111111111",
  "Sysvar1111111111111111111111111111111111111",
  "SysvarC1ock11111111111111111111111111111111",
  "SysvarRent111111111111111111111111111111111",
  "SysvarFees111111111111111111111111111111111",
  "SysvarEpochSchedu1e111111111111111111111111",
  "SysvarEpochRewards1111111111111111111111111",
  "SysvarRecentB1ockHashes11111111111111111111",
  "SysvarRewards111111111111111111111111111111",
  "SysvarS1otHashes111111111111111111111111111",
  "SysvarS1otHistory11111111111111111111111111",
  "SysvarStakeHistory1111111111111111111111111",
  "SysvarLastRestartS1ot1111111111111111111111",
  "Sysvar1nstructions1111111111111111111111111",
  "Budget1111111111111111111111111111111111111",
  "Exchange11111111111111111111111111111111111",
  "ExchangeFaucet11111111111111111111111111111",
  "MoveLdr111111111111111111111111111111111111",
  "Storage111111111111111111111111111111111111",
  "Token11111111111111111111111111111111111111",
  "Vest111111111111111111111111111111111111111",
  "VoteMBhDCqGLRgYpp9o7DGyq81KNmwjXQRAHStjtJsS",
  "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  "9SXLbhBfEi3N1GdE7w9kSEV4KRed7qHj7FizN9741111",
  "voteRnv6PBzmiGP8NicWtQiqEJTwKKq2SxtBtdLUJjd",
])("%s is a real system address", (address) => {
  expect(parseAddress("solana", address).ok).toBe(true);
  expect(mimicsSystem(address)).toBe(false);
});

test.each([
  "ComputeBudgetVNZ5j61HCDgx8eBTR1ocnwePnTzP11",
  "Vote9mmwjrD9UCCkEXyqXp9iJBr6rrtvVgKmpsEBvQW",
  "StakeQk8Wd2abEvDci2EtdukckFvrpP5ytr7AY3yaoX",
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5Dz",
  "SysvarCLock9mmwjrD9UCCkEXyqXp9iJBr6rrtvVgKm",
  "9SXLbhBfEi3N1GdE7w9kSEV4KRed7qHj7FizN9711111",
  "9SXLbhBfEi3N1GdE7w9kSEV4KRed7qHj11111111111",
  "BudgetVNZ5j61HCDgx8eBTR1ocnwePnTzP1111111111",
  "Storage9mmwjrD9UCCkEXyqXp9iJBr6rrtvVgKm11111",
])("%s imitates a system address", (address) => {
  expect(mimicsSystem(address)).toBe(true);
});
