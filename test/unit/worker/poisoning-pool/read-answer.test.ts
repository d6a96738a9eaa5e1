import { describe, expect, test } from "vitest";
import type { PoisoningBatchResponse } from "../../../../src/contract/address-poisoning.ts";
import type { PoisoningEvidence } from "../../../../src/events/evidence.ts";
import { evidenceFor, extraIn, isFlagged, itemsIn } from "../../../../src/worker/poisoning-pool/read-answer.ts";
import { clean } from "../../../fakes/evidence.ts";
import { chainOf, evm, partAbout } from "../../../support/poisoning-parts.ts";

const itemsOf = (targets: readonly unknown[], tokens: readonly unknown[] = [], beside: object = {}) =>
  itemsIn({
    code: "0",
    status: "ok",
    data: { target_addresses: targets, token_addresses: tokens },
    ...beside,
  } as PoisoningBatchResponse);
const target = (i: number, own: object = {}) => ({ chain_id: "1", address: evm(i), ...clean.target, ...own });
const token = (i: number, own: object = {}) => ({ chain_id: "1", address: evm(i), ...clean.token, ...own });
const failure = (code: string, message: string) => expect.objectContaining({ code, message });

describe("what an answer says about a part", () => {
  test("is found by chain and address, among everybody's, in any order and spelling", () => {
    const items = itemsOf([
      target(2, { mimics_user: "1" }),
      target(1, { chain_id: "56", is_poisoning: "1" }),
      target(1, { chain_id: "ETH", address: evm(1).toUpperCase().replace("0X", "0x") }),
    ]);

    expect(evidenceFor(partAbout({ target: evm(1) }), items)).toMatchObject({ target: clean.target });
    expect(evidenceFor(partAbout({ target: evm(2) }), items)).toMatchObject({ target: { mimics_user: "1" } });
    expect(evidenceFor(partAbout({ target: evm(1), chain: chainOf("56") }), items)).toMatchObject({
      target: { is_poisoning: "1" },
    });
  });

  test("is about its token only, when it has one", () => {
    const items = itemsOf([target(1)], [token(1, { is_poisoning: "1" }), token(2)]);

    expect(evidenceFor(partAbout({ target: evm(1) }), items)).toEqual({ target: target(1) });
    expect(evidenceFor(partAbout({ target: evm(1), token: evm(2) }), items)).toEqual({
      target: target(1),
      token: token(2),
    });
  });

  test("is a failure, when its item is missing, doubled, refused or no answer; that of others does not matter", () => {
    const error = { code: "invalid_address", detail: "bad" };
    const items = itemsOf(
      [
        target(2),
        target(2),
        target(3, { error }),
        target(4, { error: "x" }),
        { chain_id: "1", address: evm(5) },
        target(6),
      ],
      [token(7, { error })],
    );
    const about = (i: number, tokenAt?: number) =>
      evidenceFor(partAbout({ target: evm(i), ...(tokenAt === undefined ? {} : { token: evm(tokenAt) }) }), items);

    expect(about(1)).toEqual(failure("ANSWER_INVALID", "the answer lacks the item that was asked"));
    expect(about(2)).toEqual(failure("ANSWER_INVALID", "the answer holds the item that was asked more than once"));
    expect(about(3)).toEqual(failure("ITEM_FAILED", "invalid_address: bad"));
    expect(about(4)).toEqual(failure("ANSWER_INVALID", "the answer carries an error beside its data"));
    expect(about(5)).toEqual(failure("ANSWER_INVALID", "the item lacks its flags"));
    expect(about(6)).toEqual({ target: target(6) });
    expect(about(6, 7)).toEqual(failure("ITEM_FAILED", "invalid_address: bad"));
    expect(about(6, 8)).toEqual(failure("ANSWER_INVALID", "the answer lacks the item that was asked"));
  });

  test("is nothing, when the whole answer carries an error beside its data", () => {
    expect(() => itemsOf([target(1)], [], { error: "partial" })).toThrow("the answer carries an error beside its data");
  });
});

test("items that nobody asked about are counted, targets and tokens apart, those of no chain too", () => {
  const items = itemsOf([target(1), target(2), target(3, { chain_id: "?" })], [token(1), token(2)]);
  const among = (numbers: number[]) => (chainId: string, address: string) =>
    chainId === "1" && numbers.some((i) => evm(i) === address);
  const asked = (targets: number[], tokens: number[]) => ({ targets: among(targets), tokens: among(tokens) });

  expect(extraIn(items, asked([1, 2], [1, 2]))).toBe(1);
  expect(extraIn(items, asked([1], [2]))).toBe(3);
  expect(extraIn(items, asked([], []))).toBe(5);
  expect(extraIn(itemsOf([target(1)]), asked([1, 2], [3]))).toBe(0);
});

test.each<
  [boolean, Partial<PoisoningEvidence["target"]>, Partial<NonNullable<PoisoningEvidence["token"]>> | undefined]
>([
  [false, {}, undefined],
  [false, {}, {}],
  [true, { is_poisoning: "1" }, undefined],
  [true, { mimics_user: "1" }, undefined],
  [true, { mimics_exchange: "1" }, undefined],
  [true, {}, { is_poisoning: "1" }],
  [true, {}, { mimics_top_token: "1" }],
])("flagged: %s, with %j and %j", (expected, ofTarget, ofToken) => {
  const evidence = {
    target: { ...clean.target, ...ofTarget },
    ...(ofToken === undefined ? {} : { token: { ...clean.token, ...ofToken } }),
  };
  expect(isFlagged(evidence)).toBe(expected);
});
