import { expect, test } from "vitest";
import { callsInside } from "../../../../../src/chains/tron/calls/calls-inside.ts";
import { user, word } from "../../../../fixtures/tron/parts.ts";
import { multicall, swapTo } from "../../../../fixtures/tron/swaps.ts";

const swap = swapTo(user);
const times = (count: number) => Array<string>(count).fill(swap);

test("a call that is no multicall is the only call", () => {
  for (const data of [swap, "", "12", "ac9650"]) expect(callsInside(data)).toEqual({ calls: [data], isCut: false });
});

test("a multicall holds its calls in order, including the calls of inner multicalls", () => {
  const other = `12345678${word(1)}`;

  expect(callsInside(multicall(swap, multicall(other, swap), other))).toEqual({
    calls: [swap, other, swap, other],
    isCut: false,
  });
});

test("an empty multicall holds no calls, and neither does one with an invalid list", () => {
  for (const data of [multicall(), `ac9650d8${word(2n ** 200n)}`, "ac9650d8"])
    expect(callsInside(data)).toEqual({ calls: [], isCut: false });
});

test("sixty-three calls and their list are read, and further calls are reported as cut", () => {
  expect(callsInside(multicall(...times(63)))).toEqual({ calls: times(63), isCut: false });
  expect(callsInside(multicall(...times(64)))).toEqual({ calls: times(63), isCut: true });
  expect(callsInside(multicall(...times(3_000)))).toEqual({ calls: times(63), isCut: true });
});

test("three levels are read, and further levels are reported as cut", () => {
  const three = multicall(multicall(multicall(swap)));

  expect(callsInside(three)).toEqual({ calls: [swap], isCut: false });
  expect(callsInside(multicall(three))).toEqual({ calls: [], isCut: true });
});
