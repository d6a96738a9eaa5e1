import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { eventTopics, grantsIn, movesIn } from "../../../../src/service/tron-transactions/token-moves.ts";
import { addressOf, addressWord, friend, gold, thief, user, word } from "../../../fixtures/tron/parts.ts";

const signatures = {
  Transfer: "Transfer(address,address,uint256)",
  TransferSingle: "TransferSingle(address,address,address,uint256,uint256)",
  TransferBatch: "TransferBatch(address,address,address,uint256[],uint256[])",
  Approval: "Approval(address,address,uint256)",
  ApprovalForAll: "ApprovalForAll(address,address,bool)",
} as const satisfies Record<keyof typeof eventTopics, string>;

test("topics are the hashes of the events' signatures", () => {
  for (const [name, signature] of Object.entries(signatures)) {
    expect(Reflect.get(eventTopics, name)).toBe(bytesToHex(keccak_256(utf8ToBytes(signature))));
  }
});

const nobody = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";
const [from, to] = [addressWord(user), addressWord(friend)];

describe("moves", () => {
  test.each([
    ["of TRC-20", [eventTopics.Transfer, from, to], word(7), { amount: 7n, isItem: false }],
    [
      "of an old TRC-20 that indexes nothing",
      [eventTopics.Transfer],
      from + to + word(7),
      { amount: 7n, isItem: false },
    ],
    ["of TRC-721", [eventTopics.Transfer, from, to, word(9)], "", { amount: 9n, isItem: true }],
    ["of TRC-20 without an amount", [eventTopics.Transfer, from, to], "", { amount: undefined, isItem: false }],
    [
      "of TRC-1155",
      [eventTopics.TransferSingle, addressWord(thief), from, to],
      word(1) + word(2),
      { amount: undefined, isItem: true },
    ],
    [
      "of many of TRC-1155",
      [eventTopics.TransferBatch, addressWord(thief), from, to],
      word(64),
      { amount: undefined, isItem: true },
    ],
  ])("a move is read: %s", (_what, topics, data, amounts) => {
    expect(movesIn([{ contract: gold, topics, data }])).toEqual([{ token: gold, from: user, to: friend, ...amounts }]);
  });

  test.each([
    ["another event", [word(1), from, to], word(7)],
    ["no topic at all", [], word(7)],
    ["a word that is no address", [eventTopics.Transfer, "f".repeat(64), to], word(7)],
    ["half an event", [eventTopics.Transfer, from], ""],
  ])("no move is read from %s", (_what, topics, data) => {
    expect(movesIn([{ contract: gold, topics, data }])).toEqual([]);
  });
});

describe("grants", () => {
  test.each([
    ["of TRC-20", [eventTopics.Approval, from, to], word(7), friend, 7n],
    ["of an old TRC-20", [eventTopics.Approval], from + to + word(7), friend, 7n],
    ["of nothing", [eventTopics.Approval, from, to], word(0), friend, 0n],
    ["of an item, the one with the id 0", [eventTopics.Approval, from, to, word(0)], "", friend, 1n],
    ["of an item that is taken back", [eventTopics.Approval, from, addressWord(nobody), word(5)], "", nobody, 0n],
    ["of everything", [eventTopics.ApprovalForAll, from, to], word(1), friend, 1n],
    ["of everything, taken back", [eventTopics.ApprovalForAll, from, to], word(0), friend, 0n],
    ["that does not say of how much", [eventTopics.Approval, from, to], "", friend, 1n],
  ])("a grant is read: %s", (_what, topics, data, spender, amount) => {
    expect(grantsIn([{ contract: gold, topics, data }])).toEqual([{ token: gold, giver: user, spender, amount }]);
  });

  test("no grant is read from a transfer", () => {
    expect(grantsIn([{ contract: addressOf("x"), topics: [eventTopics.Transfer, from, to], data: word(1) }])).toEqual(
      [],
    );
  });
});
