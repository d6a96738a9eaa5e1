import { describe, expect, test } from "vitest";
import { proceedsIn } from "../../../../src/chains/tron/proceeds.ts";
import { friend, thief, transferOf, user, word } from "../../../fixtures/tron/parts.ts";
import { encoded, multicall, paidOut, swapTo, swapToRouter, unwrapTo } from "../../../fixtures/tron/swaps.ts";

test.each(paidOut)("$signature names who is paid", ({ to }) => {
  expect(proceedsIn(to(thief))).toEqual([thief]);
  expect(proceedsIn(to(user))).toEqual([user]);
});

describe("in a multicall", () => {
  test("are those of every call in it, each once", () => {
    expect(proceedsIn(multicall(swapTo(user), unwrapTo(thief), swapTo(thief), transferOf(friend, 1)))).toEqual([
      user,
      thief,
    ]);
  });

  test("with a deadline or a block's hash too", () => {
    const calls = [`0x${swapTo(thief)}`];
    expect(proceedsIn(encoded("multicall(uint256,bytes[])", [9n, calls]))).toEqual([thief]);
    expect(proceedsIn(encoded("multicall(bytes32,bytes[])", [`0x${word(1)}`, calls]))).toEqual([thief]);
  });

  test("what stays with the router is nobody's, and whoever it is passed on to is named", () => {
    expect(proceedsIn(swapToRouter)).toEqual([]);
    expect(proceedsIn(multicall(swapToRouter, unwrapTo(thief)))).toEqual([thief]);
  });

  test("of sixty-four calls in all, however often offsets point at the same bytes", () => {
    const again = (data: string, times: number) =>
      `ac9650d8${word(32)}${word(times)}${word(times * 32).repeat(times)}${word(data.length / 2)}${data}`;
    const last = multicall(...Array<string>(62).fill(swapTo(user)), swapTo(thief));

    expect(proceedsIn(last)).toEqual([user, thief]);
    expect(proceedsIn(multicall(swapTo(user), last))).toEqual([user]);
    expect(proceedsIn(again(again(swapTo(thief), 64), 64))).toEqual([thief]);
  });

  test("three levels deep, and no deeper", () => {
    const three = multicall(multicall(multicall(swapTo(thief))));
    expect(proceedsIn(three)).toEqual([thief]);
    expect(proceedsIn(multicall(three))).toEqual([]);
  });
});

describe("nobody is named", () => {
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

test("a recipient with dirt in front is the end of its word", () => {
  expect(proceedsIn(swapTo(thief).replace(/^(.{200})0{24}/, `$1${"de".repeat(12)}`))).toEqual([thief]);
});
