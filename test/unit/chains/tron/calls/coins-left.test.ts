import { toFunctionSelector } from "viem";
import { describe, expect, test } from "vitest";
import { readCalls } from "../../../../../src/chains/tron/calls/calls-read.ts";
import { leavesCoins } from "../../../../../src/chains/tron/calls/coins-left.ts";
import { contractAt } from "../../../../fixtures/tron/everyday.ts";
import { user } from "../../../../fixtures/tron/parts.ts";
import { dollars, encoded, evm, multicall, swapTo } from "../../../../fixtures/tron/swaps.ts";

const wtrx = evm(contractAt("wtrx"));
const me = evm(user);
const refund = (name: string) => toFunctionSelector(`function ${name}()`).slice(2);
const packedPath = (from: string, to: string) => `0x${from.slice(2)}0001f4${to.slice(2)}`;

const single = (from: string, amount: bigint) =>
  encoded("exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))", [
    [from, from === wtrx ? dollars : wtrx, 500, me, 9n, amount, 90n, 0n],
  ]);
const later = (from: string, amount: bigint) =>
  encoded("exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))", [
    [from, from === wtrx ? dollars : wtrx, 500, me, amount, 90n, 0n],
  ]);
const along = (from: string, to: string, amount: bigint) =>
  encoded("exactInput((bytes,address,uint256,uint256,uint256))", [[packedPath(from, to), me, 9n, amount, 90n]]);
const alongLater = (from: string, to: string, amount: bigint) =>
  encoded("exactInput((bytes,address,uint256,uint256))", [[packedPath(from, to), me, amount, 90n]]);
const exactYield = encoded("exactOutputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))", [
  [wtrx, dollars, 500, me, 9n, 90n, 100n, 0n],
]);
const smart = (first: string, amount: bigint) =>
  encoded("swapExactInput(address[],string[],uint256[],uint24[],(uint256,uint256,address,uint256))", [
    [first, dollars],
    ["v3"],
    [2n],
    [0, 0],
    [amount, 90n, me, 9n],
  ]);
const COINS = `0x${"0".repeat(40)}`;

describe("coins stay with the router", () => {
  test.each<[string, string, bigint]>([
    ["beside a trade of tokens", single(dollars, 100n), 1n],
    ["beside a trade of tokens by the later router", later(dollars, 100n), 100n],
    ["beyond what a trade pays", single(wtrx, 100n), 101n],
    ["beyond what a trade of the later router pays", later(wtrx, 100n), 101n],
    ["beside a path that begins with a token", along(dollars, wtrx, 100n), 100n],
    ["beyond what a path pays", along(wtrx, dollars, 100n), 101n],
    ["beyond what a path of the later router pays", alongLater(wtrx, dollars, 100n), 101n],
    ["of a trade for an exact yield, without a refund", exactYield, 100n],
    ["beside a smart swap of tokens", smart(dollars, 100n), 1n],
    ["beyond what a smart swap pays", smart(COINS, 100n), 101n],
    ["beside two trades that use less", multicall(single(wtrx, 100n), single(wtrx, 100n)), 201n],
  ])("%s", (_what, data, sun) => {
    expect(leavesCoins(readCalls(data), sun)).toBe(true);
  });
});

describe("no coins stay with the router", () => {
  test.each<[string, string, bigint]>([
    ["without any", single(dollars, 100n), 0n],
    ["that a trade pays", single(wtrx, 100n), 100n],
    ["that a trade of the later router pays", later(wtrx, 100n), 100n],
    ["that a path pays", along(wtrx, dollars, 100n), 100n],
    ["that a path of the later router pays", alongLater(wtrx, dollars, 100n), 100n],
    ["that a smart swap pays", smart(COINS, 100n), 100n],
    ["that two trades pay", multicall(single(wtrx, 100n), single(wtrx, 100n)), 200n],
    ["that are given back", multicall(exactYield, refund("refundETH")), 500n],
    ["that are given back under TRON's name", multicall(exactYield, refund("refundTRX")), 500n],
    ["of a V2 router, which refuses them", swapTo(user), 100n],
  ])("%s", (_what, data, sun) => {
    expect(leavesCoins(readCalls(data), sun)).toBe(false);
  });
});
