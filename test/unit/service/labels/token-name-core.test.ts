import { expect, test } from "vitest";
import { tokenNameCores } from "../../../../src/service/labels/token-name-core.ts";

test.each([
  ["USDT", ["usdt"]],
  ["$USDT", ["usdt"]],
  ["U.S.D.T", ["usdt"]],
  ["USDT \u2705", ["usdt"]],
  ["\u00d9SDT", ["usdt"]],
  ["USD\u20ae", ["usdt"]],
  ["U5DT", ["u5dt", "usdt"]],
  ["Teth3r USD", ["teth3rusd", "tetherusd"]],
  ["P3P3", ["p3p3", "pepe"]],
  ["\u202eTDSU", ["tdsu", "usdt"]],
  ["US\u202eTD\u202c", ["ustd", "usdt"]],
])("the cores of %j are %j", (name, cores) => {
  expect(tokenNameCores(name)).toEqual(cores);
});

test.each([
  ["a version's digit at the end", "USD3", ["usd3"]],
  ["the digit of an honest variant", "USDT0", ["usdto"]],
  ["the letter of a bridged copy", "USDC.e", ["usdce"]],
  ["a plus sign", "DAI+", ["dai+"]],
  ["what is too short", "$W", []],
  ["nothing", "", []],
  ["nothing but decoration", "\u2705!", []],
])("a core keeps or drops: %s", (_what, name, cores) => {
  expect(tokenNameCores(name)).toEqual(cores);
});
