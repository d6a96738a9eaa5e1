import { describe, expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../../src/chains/address.ts";
import { readCalls } from "../../../../../src/chains/tron/calls/calls-read.ts";
import * as proceeds from "../../../../../src/chains/tron/calls/proceeds.ts";
import { approveOf, friend, router, thief, transferOf, usdt, user, word } from "../../../../fixtures/tron/parts.ts";
import {
  backTo,
  dollars,
  encoded,
  evm,
  executeOf,
  input,
  multicall,
  other,
  packed,
  paidOut,
  swapTo,
  swapToRouter,
  sweepTo,
  THE_ROUTER,
  unwrapTo,
  v3Input,
} from "../../../../fixtures/tron/swaps.ts";

const proceedsIn = (data: string) => proceeds.proceedsIn(readCalls(data));
const tokensPaidIn = (data: string) => proceeds.tokensPaidIn(readCalls(data));
const isExplained = (data: string) => proceeds.isExplained(readCalls(data));
const leavesProceeds = (data: string, contract: CanonicalAddress) => proceeds.leavesProceeds(readCalls(data), contract);
const tradesAtAnyPrice = (data: string, contract: CanonicalAddress) =>
  proceeds.tradesAtAnyPrice(readCalls(data), contract);

test.each(paidOut)("$signature names the recipient", ({ to }) => {
  expect(proceedsIn(to(thief))).toEqual([thief]);
  expect(proceedsIn(to(user))).toEqual([user]);
});

describe("the recipients in a multicall", () => {
  test("are the recipients of every call in it, each once", () => {
    expect(proceedsIn(multicall(swapTo(user), unwrapTo(thief), swapTo(thief), transferOf(friend, 1)))).toEqual([
      user,
      thief,
    ]);
  });

  test("are found with a deadline or a block's hash too", () => {
    const calls = [`0x${swapTo(thief)}`];
    expect(proceedsIn(encoded("multicall(uint256,bytes[])", [9n, calls]))).toEqual([thief]);
    expect(proceedsIn(encoded("multicall(bytes32,bytes[])", [`0x${word(1)}`, calls]))).toEqual([thief]);
  });

  test("include the address that a payment is forwarded to, but not the router", () => {
    expect(proceedsIn(swapToRouter)).toEqual([]);
    expect(proceedsIn(multicall(swapToRouter, unwrapTo(thief)))).toEqual([thief]);
  });

  test("are found in sixty-four calls in all, however often offsets point at the same bytes", () => {
    const again = (data: string, times: number) =>
      `ac9650d8${word(32)}${word(times)}${word(times * 32).repeat(times)}${word(data.length / 2)}${data}`;
    const last = multicall(...Array<string>(62).fill(swapTo(user)), swapTo(thief));

    expect(proceedsIn(last)).toEqual([user, thief]);
    expect(proceedsIn(multicall(swapTo(user), last))).toEqual([user]);
    expect(proceedsIn(again(again(swapTo(thief), 64), 64))).toEqual([thief]);
  });

  test("are found three levels deep, and no deeper", () => {
    const three = multicall(multicall(multicall(swapTo(thief))));
    expect(proceedsIn(three)).toEqual([thief]);
    expect(proceedsIn(multicall(three))).toEqual([]);
  });
});

describe("no recipient is named", () => {
  test.each([
    ["by a function that is not in the table", transferOf(thief, 1)],
    ["by no data", ""],
    ["by a selector alone", "38ed1739"],
    ["by arguments that are cut before the recipient", swapTo(thief).slice(0, 8 + 3 * 64 + 63)],
    ["by a list that says it is longer than everything", `ac9650d8${word(32)}${word(2n ** 200n)}`],
    ["by a tuple that lies behind the data", `c04b8d59${word(2n ** 64n)}`],
  ])("%s", (_what, data) => {
    expect(proceedsIn(data)).toEqual([]);
  });
});

test("a recipient with dirty padding is the end of its word", () => {
  expect(proceedsIn(swapTo(thief).replace(/^(.{200})0{24}/, `$1${"de".repeat(12)}`))).toEqual([thief]);
});

describe("proceeds that stay with the router", () => {
  test.each([
    ["a swap for it", swapTo(router), true],
    ["a swap for somebody", swapTo(user), false],
    ["a swap by what stands for it", swapToRouter, true],
    ["what is swept of that token", multicall(swapToRouter, sweepTo(other, user)), false],
    ["what is swept of another", multicall(swapToRouter, sweepTo(dollars, user)), true],
    ["what is swept for the router", multicall(swapToRouter, sweepTo(other, router)), true],
    ["what is unwrapped", multicall(swapToRouter, unwrapTo(user)), false],
    ["what is unwrapped before", multicall(unwrapTo(user), swapToRouter), true],
    ["one of two", multicall(swapTo(router), backTo(evm(router), 90n), unwrapTo(user)), true],
    ["both of one token", multicall(swapTo(router), swapTo(router), unwrapTo(user)), false],
    ["a function that is not in the table", transferOf(router, 1), false],
    ["a command's swap", executeOf("00", [v3Input(THE_ROUTER, true)]), true],
    ["a command's swap for somebody", executeOf("00", [v3Input(evm(user), true)]), false],
    [
      "a command's swap that a command passes on",
      executeOf("0004", [v3Input(THE_ROUTER, true), input("address,address,uint256", [other, evm(user), 1n])]),
      false,
    ],
    [
      "coins that the router wraps and the user's swap does not use",
      executeOf("0b00", [input("address,uint256", [THE_ROUTER, 1n]), v3Input(evm(user), true)]),
      true,
    ],
  ])("%s", (_what, data, stays) => {
    expect(leavesProceeds(data, router)).toBe(stays);
  });
});

describe("a trade at any price", () => {
  /** Trades of each function, with the least amount that must come back. */
  const trades: readonly (readonly [string, (least: bigint) => string])[] = [
    ["tokens for tokens", (least) => backTo(evm(user), least)],
    [
      "coins for tokens",
      (least) => encoded("swapExactETHForTokens(uint256,address[],address,uint256)", [least, [dollars], evm(user), 9n]),
    ],
    [
      "tokens for coins",
      (least) =>
        encoded("swapExactTokensForETH(uint256,uint256,address[],address,uint256)", [
          100n,
          least,
          [dollars],
          evm(user),
          9n,
        ]),
    ],
    [
      "a single pool",
      (least) =>
        encoded("exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))", [
          [dollars, other, 3000, evm(user), 9n, 100n, least, 0n],
        ]),
    ],
    [
      "a single pool, of a later router",
      (least) =>
        encoded("exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))", [
          [dollars, other, 3000, evm(user), 100n, least, 0n],
        ]),
    ],
    [
      "several pools",
      (least) => encoded("exactInput((bytes,address,uint256,uint256,uint256))", [[packed, evm(user), 9n, 100n, least]]),
    ],
    [
      "several pools, of a later router",
      (least) => encoded("exactInput((bytes,address,uint256,uint256))", [[packed, evm(user), 100n, least]]),
    ],
    [
      "a smart router",
      (least) =>
        encoded("swapExactInput(address[],string[],uint256[],uint24[],(uint256,uint256,address,uint256))", [
          [dollars, other],
          ["v2"],
          [2n],
          [0, 0],
          [100n, least, evm(user), 9n],
        ]),
    ],
    [
      "a command",
      (least) =>
        executeOf("08", [
          input("address,uint256,uint256,address[],bool", [evm(user), 100n, least, [dollars, other], true]),
        ]),
    ],
  ];

  test.each(trades)("%s", (_what, trade) => {
    expect([0n, 1n, 2n].map((least) => tradesAtAnyPrice(trade(least), router))).toEqual([true, true, false]);
  });

  test("is bound by the call that forwards the amount left with the router", () => {
    const left = encoded("exactInput((bytes,address,uint256,uint256))", [[packed, THE_ROUTER, 100n, 0n]]);
    const swept = (least: bigint) => encoded("sweepToken(address,uint256)", [other, least]);

    expect(tradesAtAnyPrice(multicall(left, swept(2n)), router)).toBe(false);
    expect(tradesAtAnyPrice(multicall(left, swept(1n)), router)).toBe(true);
  });

  const most: readonly (readonly [what: string, trade: (most: bigint) => string])[] = [
    ...["swapTokensForExactTokens", "swapTokensForExactETH"].map(
      (name) =>
        [
          `${name} of V2`,
          (most: bigint) =>
            encoded(`${name}(uint256,uint256,address[],address,uint256)`, [9n, most, [dollars, other], evm(user), 9n]),
        ] as const,
    ),
    [
      "swapTokensForExactTokens of the later router",
      (most) =>
        encoded("swapTokensForExactTokens(uint256,uint256,address[],address)", [9n, most, [dollars, other], evm(user)]),
    ],
    [
      "exactOutputSingle of V3",
      (most) =>
        encoded("exactOutputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))", [
          [dollars, other, 3000, evm(user), 9n, 9n, most, 0n],
        ]),
    ],
    [
      "exactOutputSingle of the later router",
      (most) =>
        encoded("exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))", [
          [dollars, other, 3000, evm(user), 9n, most, 0n],
        ]),
    ],
    [
      "exactOutput of V3",
      (most) => encoded("exactOutput((bytes,address,uint256,uint256,uint256))", [[packed, evm(user), 9n, 9n, most]]),
    ],
    [
      "exactOutput of the later router",
      (most) => encoded("exactOutput((bytes,address,uint256,uint256))", [[packed, evm(user), 9n, most]]),
    ],
    ["tokenToTrxSwapOutput", (most) => encoded("tokenToTrxSwapOutput(uint256,uint256,uint256)", [9n, most, 9n])],
    [
      "tokenToTrxTransferOutput",
      (most) => encoded("tokenToTrxTransferOutput(uint256,uint256,uint256,address)", [9n, most, 9n, evm(user)]),
    ],
    [
      "tokenToTokenSwapOutput",
      (most) => encoded("tokenToTokenSwapOutput(uint256,uint256,uint256,uint256,address)", [9n, most, 9n, 9n, other]),
    ],
    ...["tokenToTokenTransferOutput", "tokenToExchangeTransferOutput"].map(
      (name) =>
        [
          name,
          (most: bigint) =>
            encoded(`${name}(uint256,uint256,uint256,uint256,address,address)`, [9n, most, 9n, 9n, evm(user), other]),
        ] as const,
    ),
    [
      "a command that the user pays, V3",
      (most) => executeOf("01", [input("address,uint256,uint256,bytes,bool", [evm(user), 9n, most, packed, true])]),
    ],
    [
      "a command that the user pays, V2",
      (most) =>
        executeOf("09", [
          input("address,uint256,uint256,address[],bool", [evm(user), 9n, most, [dollars, other], true]),
        ]),
    ],
  ];

  test.each(most)("may cost any amount: %s", (_what, trade) => {
    const bounds = [2n ** 256n - 1n, 2n ** 112n - 1n, 2n ** 112n - 2n, 100n];
    expect(bounds.map((bound) => tradesAtAnyPrice(trade(bound), router))).toEqual([true, true, false, false]);
  });

  test("costs no more than the router holds, where the router pays", () => {
    const held = input("address,uint256,uint256,bytes,bool", [evm(user), 9n, 2n ** 256n - 1n, packed, false]);

    expect(tradesAtAnyPrice(executeOf("01", [held]), router)).toBe(false);
  });

  test("is no trade with a most amount, no withdrawal, and no call without a trade", () => {
    const bought = encoded("swapTokensForExactTokens(uint256,uint256,address[],address,uint256)", [
      1n,
      100n,
      [dollars, other],
      evm(user),
      9n,
    ]);
    const others = [bought, encoded("sweepToken(address,uint256)", [other, 0n]), "3ccfd60b", transferOf(user, 0), ""];

    expect(others.map((each) => tradesAtAnyPrice(each, router))).toEqual([false, false, false, false, false]);
  });
});

describe("a fee", () => {
  const portion = (token: `0x${string}`, bips: bigint) => input("address,address,uint256", [token, evm(thief), bips]);
  const swept = (bips: bigint) =>
    encoded("sweepTokenWithFee(address,uint256,uint256,address)", [dollars, 1n, bips, evm(thief)]);

  test("is usual up to one in a hundred, for each token", () => {
    expect(proceedsIn(executeOf("06", [portion(dollars, 100n)]))).toEqual([]);
    expect(proceedsIn(executeOf("0606", [portion(dollars, 100n), portion(other, 100n)]))).toEqual([]);
    expect(proceedsIn(multicall(swept(50n), swept(50n)))).toEqual([]);
  });

  test("is not usual when it is higher, in several parts too", () => {
    expect(proceedsIn(executeOf("06", [portion(dollars, 101n)]))).toEqual([thief]);
    expect(proceedsIn(executeOf("0606", [portion(dollars, 100n), portion(dollars, 1n)]))).toEqual([thief]);
    expect(proceedsIn(multicall(swept(50n), swept(51n)))).toEqual([thief]);
  });
});

test("the paid tokens are the ends of each trade", () => {
  const [jst] = tokensPaidIn(swapTo(user));

  expect(jst).toBeDefined();
  expect(tokensPaidIn(multicall(swapTo(user), swapToRouter, backTo(evm(user), 9n), unwrapTo(user)))).toEqual([
    jst,
    usdt,
  ]);
  expect(tokensPaidIn("3ccfd60b")).toEqual([]);
});

describe("explained calldata", () => {
  const execute = (commands: string, count: number) =>
    executeOf(commands, Array<`0x${string}`>(count).fill(v3Input(evm(user), true)));

  test.each([
    ["a swap", swapTo(user)],
    ["a withdrawal that names nobody", "3ccfd60b"],
    ["a token's call", approveOf(router, 5)],
    ["swaps in a multicall", multicall(swapTo(user), multicall(unwrapTo(user)))],
    ["commands that are known", execute("0081", 2)],
  ])("includes %s", (_what, data) => {
    expect(isExplained(data)).toBe(true);
  });

  test.each([
    ["no data", ""],
    ["a selector that is not known", "12345678"],
    ["a swap that is cut before its recipient", swapTo(user).slice(0, 8 + 3 * 64 + 63)],
    ["an approval that is cut", approveOf(router, 5).slice(0, 80)],
    ["one unknown call of several", multicall(swapTo(user), "12345678")],
    ["a multicall of nothing", multicall()],
    ["a multicall that lies behind the data", `ac9650d8${word(2n ** 64n)}`],
    ["more calls than are looked at", multicall(...Array<string>(64).fill(swapTo(user)))],
    ["a permit of a universal router", execute("0a", 1)],
    ["a plan in a plan", execute("21", 1)],
    ["a command without its input", execute("0000", 1)],
    ["no commands", execute("", 0)],
    ["more commands than are looked at", execute("00".repeat(65), 65)],
    ["commands that lie behind the data", `3593564c${word(2n ** 64n)}`],
    ["a command whose input is cut", executeOf("00", ["0x00"])],
  ])("does not include %s", (_what, data) => {
    expect(isExplained(data)).toBe(false);
  });
});
