import type { Hex } from "viem";
import { describe, expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../../src/chains/address.ts";
import { isAnyPrice } from "../../../../../src/chains/evm/calls/left-behind.ts";
import { readTransaction } from "../../../../../src/chains/evm/read-transaction.ts";
import * as p from "../../../../fixtures/evm-people.ts";
import { calldata } from "../../../../support/evm-calls.ts";

const [SENDER, ROUTER] = [`0x${"1".padStart(40, "0")}`, `0x${"2".padStart(40, "0")}`] as [Hex, Hex];
const LATER = 1_900_000_000n;
const hop = (from: Hex, to: Hex): Hex => `${from}000bb8${to.slice(2)}`;
const encoded = (types: string, args: readonly unknown[]): Hex => `0x${calldata(`x(${types})`, args).slice(10)}`;

/** The wrapped coin of Ethereum. */
const WETH: Hex = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";

interface Trade {
  readonly amount?: bigint;
  readonly least?: bigint;
  readonly paidByUser?: boolean;
  readonly from?: Hex;
  readonly buys?: Hex;
}

const v3 = (
  to: Hex,
  { amount = 5_000n, least = 4_000n, paidByUser = true, from = p.item, buys = p.token }: Trade = {},
): Step => ["00", encoded("address,uint256,uint256,bytes,bool", [to, amount, least, hop(from, buys), paidByUser])];
const v3Out = (to: Hex, most: bigint) =>
  ["01", encoded("address,uint256,uint256,bytes,bool", [to, 5_000n, most, hop(p.token, p.item), true])] as const;
const wrap = (to: Hex) => ["0b", encoded("address,uint256", [to, 5_000n])] as const;
const unwrap = (to: Hex, least = 4_000n) => ["0c", encoded("address,uint256", [to, least])] as const;
const sweep = (to: Hex, least = 4_000n) => ["04", encoded("address,address,uint256", [p.token, to, least])] as const;
const portion = (to: Hex, bips: bigint) => ["06", encoded("address,address,uint256", [p.token, to, bips])] as const;
const pull = (to: Hex) => ["02", encoded("address,address,uint160", [p.token, to, 5_000n])] as const;
const v4 = (codes: string, ...params: readonly Hex[]) =>
  ["10", encoded("bytes,bytes[]", [`0x${codes}`, params])] as const;
const v4Swap = (least: bigint) =>
  encoded("((address,address,uint24,int24,address),bool,uint128,uint128,bytes)", [
    [[p.token, p.item, 500, 10, p.nobody], true, 5_000n, least, "0x"],
  ]);
const settle = (most: bigint) => encoded("address,uint256", [p.token, most]);
const takeAll = (least: bigint) => encoded("address,uint256", [p.item, least]);
const take = (to: Hex) => encoded("address,address,uint256", [p.item, to, 0n]);

type Step = readonly [code: string, input: Hex];
const plan = (...steps: readonly Step[]) =>
  calldata("execute(bytes,bytes[],uint256)", [
    `0x${steps.map(([code]) => code).join("")}`,
    steps.map(([, input]) => input),
    LATER,
  ]);
const inside = (...steps: readonly Step[]): Step => [
  "21",
  encoded("bytes,bytes[]", [`0x${steps.map(([code]) => code).join("")}`, steps.map(([, input]) => input)]),
];

function payOutsOf(data: Hex, value = 0n): readonly string[] {
  const [from, to] = [p.me, p.router] as unknown as [CanonicalAddress, CanonicalAddress];
  const { acts, unexplained } = readTransaction({ from, to, value, data: data.slice(2), delegates: [] });
  const names = new Map<string, string>([
    [p.me, "me"],
    [p.stranger, "stranger"],
    [p.router, "router"],
  ]);
  const paid = acts.flatMap((act) =>
    act.does === "pay_out" ? [`${names.get(act.to) ?? act.to}${isAnyPrice(act) ? " at any price" : ""}`] : [],
  );
  return [...paid, ...unexplained.map(({ why }) => why)];
}

describe("the payments of a universal router's plan", () => {
  test.each([
    ["a swap for the sender", plan(v3(SENDER)), []],
    ["a swap for the sender by its address", plan(v3(p.me)), []],
    ["a swap for a stranger", plan(v3(p.stranger)), ["stranger"]],
    ["a swap that stays with the router", plan(v3(ROUTER)), ["router"]],
    ["a swap that the router unwraps for the sender", plan(v3(ROUTER, { buys: WETH }), unwrap(SENDER)), []],
    [
      "a swap that the router unwraps for a stranger",
      plan(v3(ROUTER, { buys: WETH }), unwrap(p.stranger)),
      ["stranger"],
    ],
    ["a swap that the router sweeps to a stranger", plan(v3(ROUTER), sweep(p.stranger)), ["stranger"]],
    ["coins that are wrapped and traded", plan(wrap(ROUTER), v3(SENDER, { paidByUser: false, from: WETH })), []],
    ["coins that are wrapped and left", plan(wrap(ROUTER)), ["router"]],
    ["a swap without a least amount", plan(v3(SENDER, { least: 0n })), ["me at any price"]],
    ["a swap whose bound the sweep sets", plan(v3(ROUTER, { least: 0n }), sweep(SENDER)), []],
    ["a swap without a bound that is swept", plan(v3(ROUTER, { least: 0n }), sweep(SENDER, 0n)), ["me at any price"]],
    ["a purchase at a bounded cost", plan(v3Out(SENDER, 9_000n)), []],
    ["a purchase at any cost", plan(v3Out(SENDER, 2n ** 256n - 1n)), ["me at any price"]],
    ["a usual fee", plan(v3(ROUTER), portion(p.stranger, 25n), sweep(SENDER)), []],
    ["a fee of half", plan(v3(ROUTER), portion(p.stranger, 5_000n), sweep(SENDER)), ["stranger"]],
    [
      "many small fees",
      plan(v3(ROUTER), ...Array.from({ length: 3 }, () => portion(p.stranger, 40n)), sweep(SENDER)),
      ["stranger"],
    ],
    ["tokens that are taken for a stranger", plan(pull(p.stranger)), ["stranger"]],
    ["a plan inside a plan", plan(inside(v3(p.stranger))), ["stranger"]],
    ["a V4 swap for the sender", plan(v4("060c0f", v4Swap(4_000n), settle(5_000n), takeAll(4_000n))), []],
    ["a V4 swap for a stranger", plan(v4("060c0e", v4Swap(4_000n), settle(5_000n), take(p.stranger))), ["stranger"]],
    ["a V4 swap that is not taken", plan(v4("060c", v4Swap(4_000n), settle(5_000n))), ["router"]],
    [
      "a V4 swap without a bound",
      plan(v4("060b0f", v4Swap(0n), encoded("address,uint256,bool", [p.token, 5_000n, true]), takeAll(0n))),
      ["me at any price"],
    ],
    [
      "a part of wrapped coins that is traded",
      plan(wrap(ROUTER), v3(SENDER, { paidByUser: false, from: WETH, amount: 1n })),
      ["router"],
    ],
    ["proceeds that are unwrapped as another token", plan(v3(ROUTER), unwrap(SENDER)), ["router"]],
    [
      "a part of the proceeds that is forwarded",
      plan(v3(ROUTER), ["05", encoded("address,address,uint256", [p.token, SENDER, 2n])]),
      ["router"],
    ],
    ["a trade that may fail", plan(["80", v3(SENDER)[1]]), ["opaque_bytes"]],
    ["an unknown command", plan(["3f", "0x"]), ["opaque_bytes"]],
    [
      "commands without their inputs",
      calldata("execute(bytes,bytes[])", ["0x0000", [v3(SENDER)[1]]]),
      ["opaque_bytes"],
    ],
  ] as const)("%s", (_name, data, expected) => {
    expect(payOutsOf(data as Hex)).toEqual(expected);
  });
});

describe("coins beside a plan", () => {
  test.each([
    ["that trades another token", plan(v3(SENDER)), ["router"]],
    ["that wraps all of them", plan(wrap(ROUTER), v3(SENDER, { paidByUser: false, from: WETH })), []],
    [
      "that sends the rest back",
      plan(v3(SENDER), ["04", encoded("address,address,uint256", [p.nobody, SENDER, 0n])]),
      [],
    ],
  ] as const)("%s", (_name, data, expected) => {
    expect(payOutsOf(data, 5_000n)).toEqual(expected);
  });
});
