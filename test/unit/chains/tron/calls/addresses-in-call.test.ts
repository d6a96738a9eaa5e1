import { expect, test } from "vitest";
import { addressesInCall } from "../../../../../src/chains/tron/calls/addresses-in-call.ts";
import { tronHexOf } from "../../../../../src/chains/tron/tron-address.ts";
import * as p from "../../../../fixtures/tron/parts.ts";

const word = p.addressWord;

test.each([
  ["an argument", `12345678${word(p.thief)}`, [p.thief]],
  ["one with TRON's prefix", `12345678${"0".repeat(22)}${tronHexOf(p.thief)}`, [p.thief]],
  ["several, each once", `12345678${word(p.thief)}${p.word(7)}${word(p.friend)}${word(p.thief)}`, [p.thief, p.friend]],
  [
    "one in a call that is handed on",
    `12345678${p.word(32)}${p.word(36)}095ea7b3${word(p.thief)}${p.word(1)}`,
    [p.thief],
  ],
  ["no number", `12345678${p.word(1_000_000)}`, []],
  ["nothing in the selector, or where nothing is", "12345678", []],
  ["one that is cut off", `12345678${word(p.thief).slice(0, 62)}`, []],
] as const)("finds %s", (_what, data, found) => {
  const addresses = addressesInCall(data);
  expect(addresses).toEqual(expect.arrayContaining([...found]));
  if (found.length === 0) expect(addresses).toEqual([]);
});
