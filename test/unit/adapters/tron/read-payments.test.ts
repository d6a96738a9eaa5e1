import { describe, expect, test } from "vitest";
import { readPayments } from "../../../../src/adapters/tron/read-payments.ts";
import { tronHexOf } from "../../../../src/chains/tron/tron-address.ts";
import { parseExact } from "../../../../src/kernel/json.ts";
import { friend, router, thief } from "../../../fixtures/tron/parts.ts";

/** An internal transaction as a node returns it. */
const internal = (to: string, callValueInfo: unknown, more: object = {}) => ({
  hash: "ab".repeat(32),
  caller_address: tronHexOf(router),
  transferTo_address: tronHexOf(to),
  callValueInfo,
  note: "63616c6c",
  ...more,
});

test("coins that a contract sends are read exactly in sun", () => {
  const list = [
    internal(friend, [{ callValue: 5 }]),
    internal(thief, [{ callValue: parseExact("9007199254740993") }, { callValue: 1 }]),
  ];

  expect(readPayments(list)).toEqual([
    { from: router, to: friend, sun: 5n },
    { from: router, to: thief, sun: 9_007_199_254_740_994n },
  ]);
});

describe("an internal transaction without coins is skipped", () => {
  test.each([
    ["a call of nothing", internal(friend, [{}])],
    ["a call without values", internal(friend, undefined)],
    ["a TRC-10", internal(friend, [{ callValue: 5, tokenId: "1002000" }])],
    ["what was taken back", internal(friend, [{ callValue: 5 }], { rejected: true })],
    ["a call of nothing to nobody", internal(friend, [{ callValue: 0 }], { transferTo_address: "" })],
  ])("%s", (_what, item) => {
    expect(readPayments([item])).toEqual([]);
  });

  test("a missing list is empty", () => {
    expect(readPayments([])).toEqual([]);
  });
});

describe("an unreadable list is no answer", () => {
  test.each([
    ["a list that is none", undefined],
    ["a value that is no number", [internal(friend, [{ callValue: "much" }])]],
    ["a value below nothing", [internal(friend, [{ callValue: -1 }])]],
    ["values that are no list", [internal(friend, { callValue: 1 })]],
    ["a recipient that is no address", [internal(friend, [{ callValue: 1 }], { transferTo_address: "ab" })]],
    ["no sender", [internal(friend, [{ callValue: 1 }], { caller_address: undefined })]],
  ])("%s", (_what, list) => {
    expect(readPayments(list)).toBeUndefined();
  });
});
