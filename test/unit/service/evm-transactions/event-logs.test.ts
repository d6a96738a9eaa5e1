import { encodeAbiParameters, keccak256, parseAbiParameters, toHex } from "viem";
import { expect, test } from "vitest";
import type { EvmEventLog } from "../../../../src/service/evm/node.ts";
import { eventTopics, grantsIn, movesIn } from "../../../../src/service/evm-transactions/event-logs.ts";
import { friend, me, nobody, permit2, stranger, token } from "../../../fixtures/evm-people.ts";

const word = (address: string) => address.slice(2).padStart(64, "0");
const number = (value: bigint) => value.toString(16).padStart(64, "0");
const log = (event: keyof typeof eventTopics, topics: readonly string[], data = "", contract: string = token) =>
  ({ contract, topics: [eventTopics[event], ...topics], data }) satisfies EvmEventLog;
const TRANSFER = "Transfer(address,address,uint256)";
const SINGLE = "TransferSingle(address,address,address,uint256,uint256)";
const BATCH = "TransferBatch(address,address,address,uint256[],uint256[])";
const APPROVAL = "Approval(address,address,uint256)";
const APPROVAL_FOR_ALL = "ApprovalForAll(address,address,bool)";
const BY_PERMIT2 = "Approval(address,address,address,uint160,uint48)";

test.each(Object.entries(eventTopics))("event %s has its topic", (signature, topic) => {
  expect(`0x${topic}`).toBe(keccak256(toHex(signature)));
});

const [from, to] = [word(me), word(friend)];
const moved = { token, from: me, to: friend };

test.each([
  ["a token", log(TRANSFER, [from, to], number(7n)), [{ ...moved, standard: "erc20", id: undefined, amount: 7n }]],
  [
    "an old token, which indexes nothing",
    log(TRANSFER, [], from + to + number(7n)),
    [{ ...moved, standard: "erc20", id: undefined, amount: 7n }],
  ],
  ["an item", log(TRANSFER, [from, to, number(9n)]), [{ ...moved, standard: "erc721", id: 9n, amount: 1n }]],
  [
    "some of an item",
    log(SINGLE, [word(stranger), from, to], number(9n) + number(4n)),
    [{ ...moved, standard: "erc1155", id: 9n, amount: 4n }],
  ],
  [
    "several items",
    log(
      BATCH,
      [word(stranger), from, to],
      encodeAbiParameters(parseAbiParameters("uint256[], uint256[]"), [
        [1n, 2n],
        [5n, 6n],
      ]).slice(2),
    ),
    [
      { ...moved, standard: "erc1155", id: 1n, amount: 5n },
      { ...moved, standard: "erc1155", id: 2n, amount: 6n },
    ],
  ],
  ["a cut amount", log(TRANSFER, [from, to], "07"), []],
  ["an address that is none", log(TRANSFER, ["f".repeat(64), to], number(7n)), []],
  ["items without their amounts", log(SINGLE, [word(stranger), from, to], number(9n)), []],
  ["something else", { contract: token, topics: [], data: "" }, []],
])("the moves in a log are read: %s", (_name, written, moves) => {
  expect(movesIn([written])).toEqual(moves);
});

const given = { token, giver: me, spender: friend };

test.each([
  ["a token's", log(APPROVAL, [from, to], number(7n)), [{ ...given, amount: 7n, isAllowance: true }]],
  ["an item's, of number 0 too", log(APPROVAL, [from, to, number(0n)]), [{ ...given, amount: 0n, isAllowance: false }]],
  [
    "a collection's",
    log(APPROVAL_FOR_ALL, [from, to], number(1n)),
    [{ ...given, amount: undefined, isAllowance: false }],
  ],
  [
    "by Permit2",
    log(BY_PERMIT2, [from, word(token), to], number(7n) + number(1n), permit2),
    [{ ...given, amount: 7n, isAllowance: false }],
  ],
  ["a token's, taken back", log(APPROVAL, [from, to], number(0n)), []],
  ["an item's, taken back", log(APPROVAL, [from, word(nobody), number(7n)]), []],
  ["a collection's, taken back", log(APPROVAL_FOR_ALL, [from, to], number(0n)), []],
  ["by Permit2, taken back", log(BY_PERMIT2, [from, word(token), to], number(0n) + number(1n), permit2), []],
])("the rights in a log are read: %s", (_name, written, grants) => {
  expect(grantsIn([written])).toEqual(grants);
});
