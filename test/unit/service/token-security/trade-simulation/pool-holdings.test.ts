import { describe, expect, test } from "vitest";
import type { CallResult } from "../../../../../src/service/evm/node.ts";
import {
  type Holdings,
  holdingsCalls,
  holdingsIn,
  type PoolKind,
} from "../../../../../src/service/token-security/trade-simulation/pool-holdings.ts";

const low = `0x${"1".repeat(40)}`;
const high = `0x${"2".repeat(40)}`;
const pair = `0x${"3".repeat(40)}`;
const failed: CallResult = { ok: false };
const told = (...words: readonly bigint[]): CallResult => ({
  ok: true,
  data: Uint8Array.from(Buffer.from(words.map((word) => word.toString(16).padStart(64, "0")).join(""), "hex")),
});
const pool = (kind: PoolKind, base: string) => ({ kind, pair, of: base === low ? high : low, base });
const Q96 = 1n << 96n;

test("the calls read the reserves of a V2 pool, and the price, liquidity and both balances of a V3 pool", () => {
  expect(holdingsCalls(pool("v2", high))).toEqual([{ to: pair, data: "0x0902f1ac" }]);
  const ofPair = `0x70a08231${"0".repeat(24)}${"3".repeat(40)}`;
  expect(holdingsCalls(pool("v3", high))).toEqual([
    { to: pair, data: "0x3850c7bd" },
    { to: pair, data: "0x1a686502" },
    { to: low, data: ofPair },
    { to: high, data: ofPair },
  ]);
});

describe("a V2 pool", () => {
  test("its holdings are its reserves, in the order of the tokens' addresses", () => {
    expect(holdingsIn([told(5n, 7n, 0n)], pool("v2", high))).toEqual({ tokenHeld: 5n, baseHeld: 7n, depth: 7n });
    expect(holdingsIn([told(5n, 7n, 0n)], pool("v2", low))).toEqual({ tokenHeld: 7n, baseHeld: 5n, depth: 5n });
  });

  test.each([
    ["one side is empty", [told(5n, 0n, 0n)]],
    ["it does not answer", [failed]],
    ["it answers half", [told(5n)]],
    ["nobody was asked", []],
  ])("it has no holdings where %s", (_name, answers) => {
    expect(holdingsIn(answers, pool("v2", high))).toBeUndefined();
  });
});

describe("a V3 pool", () => {
  const slot0 = (price: bigint) => told(price, 0n, 0n, 0n, 0n, 0n, 1n);
  const answers = (price: bigint, liquidity: bigint, token: bigint, base: bigint) => [
    slot0(price),
    told(liquidity),
    told(token),
    told(base),
  ];

  // At root price 2, a unit of the first token is worth four units of the second.
  test.each<[string, bigint, bigint, bigint, bigint, string, Holdings]>([
    [
      "seems to hold Lp of the second",
      2n * Q96,
      300n,
      9n,
      1_000n,
      high,
      { tokenHeld: 9n, baseHeld: 1_000n, depth: 600n },
    ],
    [
      "seems to hold L/p of the first",
      2n * Q96,
      300n,
      9n,
      1_000n,
      low,
      { tokenHeld: 9n, baseHeld: 1_000n, depth: 150n },
    ],
    ["holds less than it seems to", 2n * Q96, 300n, 9n, 10n, high, { tokenHeld: 9n, baseHeld: 10n, depth: 10n }],
    ["has nothing at its price", 2n * Q96, 0n, 9n, 10n, high, { tokenHeld: 9n, baseHeld: 10n, depth: 10n }],
    ["holds none of its base", 2n * Q96, 300n, 9n, 0n, high, { tokenHeld: 9n, baseHeld: 0n, depth: 600n }],
    ["holds tokens beside its price, second", 2n * Q96, 0n, 9n, 0n, high, { tokenHeld: 9n, baseHeld: 0n, depth: 36n }],
    ["holds tokens beside its price, first", 2n * Q96, 0n, 9n, 0n, low, { tokenHeld: 9n, baseHeld: 0n, depth: 2n }],
  ])("the holdings of a V3 pool that %s", (_name, price, liquidity, token, base, which, expected) => {
    expect(holdingsIn(answers(price, liquidity, token, base), pool("v3", which))).toEqual(expected);
  });

  test("holdings beyond 160 bits are not believed, because the token may lie about them", () => {
    const most = 1n << 160n;
    expect(holdingsIn(answers(most - 1n, 0n, (1n << 256n) - 1n, 0n), pool("v3", high))).toEqual({
      tokenHeld: most,
      baseHeld: 0n,
      depth: most,
    });
  });

  test.each([
    ["has no price", answers(0n, 1n, 1n, 1n)],
    ["has a price that none can be", answers(1n << 160n, 1n, 1n, 1n)],
    ["has more liquidity than can be", answers(Q96, 1n << 160n, 1n, 1n)],
    ["holds nothing", answers(Q96, 1n, 0n, 0n)],
    ["does not answer", [failed, failed, failed, failed]],
  ])("a contract is no V3 pool if it %s", (_name, told) => {
    expect(holdingsIn(told, pool("v3", high))).toBeUndefined();
  });
});
