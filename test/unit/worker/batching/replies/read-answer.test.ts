import { describe, expect, test } from "vitest";
import type {
  ChainAddress,
  PoisoningBatchResponse,
  TargetItem,
} from "../../../../../src/api/schemas/address-poisoning.ts";
import type { PoisoningEvidence } from "../../../../../src/messages/evidence.ts";
import { ExtraItemsError } from "../../../../../src/worker/answers/service-errors.ts";
import { AnsweredItems } from "../../../../../src/worker/batching/replies/answered-items.ts";
import { evidenceAt, isFlagged, itemsIn, refuseExtra } from "../../../../../src/worker/batching/replies/read-answer.ts";
import { clean } from "../../../../fakes/evidence.ts";
import { evm } from "../../../../support/poisoning-parts.ts";

const asked = (numbers: readonly number[], chain_id = "1") => numbers.map((i) => ({ chain_id, address: evm(i) }));
const requestFor = (targets: ChainAddress[], tokens: ChainAddress[] = []) => ({
  user_addresses: [],
  target_addresses: targets,
  token_addresses: tokens,
});
const answerOf = (targets: readonly unknown[], tokens: readonly unknown[] = [], beside: object = {}) =>
  ({
    code: "0",
    status: "ok",
    data: { target_addresses: targets, token_addresses: tokens },
    ...beside,
  }) as PoisoningBatchResponse;
const target = (i: number, own: object = {}) => ({ chain_id: "1", address: evm(i), ...clean.target, ...own });
const token = (i: number, own: object = {}) => ({ chain_id: "1", address: evm(i), ...clean.token, ...own });
const failure = (code: string, message: string) => expect.objectContaining({ code, message });

describe("the answer about one entry", () => {
  test("an entry is matched by chain and address among all items, in any order and spelling", () => {
    const items = itemsIn(
      answerOf([
        target(2, { mimics_user: "1" }),
        target(1, { chain_id: "56", is_poisoning: "1" }),
        target(1, { chain_id: "ETH", address: evm(1).toUpperCase().replace("0X", "0x") }),
      ]),
      requestFor([...asked([1, 2]), ...asked([1], "56")]),
    );

    expect(evidenceAt(0, undefined, items)).toMatchObject({ target: clean.target });
    expect(evidenceAt(1, undefined, items)).toMatchObject({ target: { mimics_user: "1" } });
    expect(evidenceAt(2, undefined, items)).toMatchObject({ target: { is_poisoning: "1" } });
  });

  test("the result is the same if each item has the index of the request, as nearly always", () => {
    const targets = [target(1), target(2, { mimics_user: "1" }), target(3)];
    const items = itemsIn(answerOf(targets), requestFor(asked([1, 2, 3])));

    expect([0, 1, 2].map((at) => evidenceAt(at, undefined, items))).toEqual(targets.map((each) => ({ target: each })));
    expect(extraIn(items)).toBe(0);
  });

  test("the token of an entry is read only if the entry has one", () => {
    const items = itemsIn(
      answerOf([target(1)], [token(1, { is_poisoning: "1" }), token(2)]),
      requestFor(asked([1]), asked([1, 2])),
    );

    expect(evidenceAt(0, undefined, items)).toEqual({ target: target(1) });
    expect(evidenceAt(0, 1, items)).toEqual({ target: target(1), token: token(2) });
  });

  const error = { code: "invalid_address", detail: "bad" };
  const targets = [
    target(2),
    target(2),
    target(3, { error }),
    target(4, { error: "x" }),
    { chain_id: "1", address: evm(5) },
    target(6),
  ];

  test.each([
    ["as it came", targets],
    ["in another order", targets.toReversed()],
    [
      "each where it was asked, and what is doubled at the end",
      [target(1, { chain_id: "56" }), ...targets.slice(1), target(2)],
    ],
  ])(
    "an entry fails if its item is missing, doubled, refused or invalid, and other entries are unaffected: %s",
    (_how, given) => {
      const items = itemsIn(
        answerOf(given, [token(7, { error })]),
        requestFor(asked([1, 2, 3, 4, 5, 6]), asked([7, 8])),
      );
      const about = (i: number, tokenAt?: number) => evidenceAt(i - 1, tokenAt, items);

      expect(about(1)).toEqual(failure("ANSWER_INVALID", "the answer lacks the item that was asked"));
      expect(about(2)).toEqual(failure("ANSWER_INVALID", "the answer holds the item that was asked more than once"));
      expect(about(3)).toEqual(failure("ITEM_FAILED", "invalid_address: bad"));
      expect(about(4)).toEqual(failure("ANSWER_INVALID", "the answer carries an error beside its data"));
      expect(about(5)).toEqual(failure("ANSWER_INVALID", "the item lacks its flags"));
      expect(about(6)).toEqual({ target: target(6) });
      expect(about(6, 0)).toEqual(failure("ITEM_FAILED", "invalid_address: bad"));
      expect(about(6, 1)).toEqual(failure("ANSWER_INVALID", "the answer lacks the item that was asked"));
    },
  );

  test("a refusal is cut to two hundred characters", () => {
    const error = { code: "x", detail: "y".repeat(500) };
    const items = itemsIn(answerOf([target(1, { error })]), requestFor(asked([1])));

    expect(evidenceAt(0, undefined, items)).toEqual(failure("ITEM_FAILED", `x: ${"y".repeat(197)}`));
  });

  test("an answer with an error beside its data fails as a whole", () => {
    expect(() => itemsIn(answerOf([target(1)], [], { error: "partial" }), requestFor(asked([1])))).toThrow(
      "the answer carries an error beside its data",
    );
  });
});

/** Number of items that the request lacks. */
function extraIn(items: ReturnType<typeof itemsIn>): number {
  try {
    refuseExtra(items);
    return 0;
  } catch (thrown) {
    if (thrown instanceof ExtraItemsError) return thrown.extra;
    throw thrown;
  }
}

test("items that the request lacks are counted for targets and tokens, also on unknown chains", () => {
  const answer = answerOf([target(1), target(2), target(3, { chain_id: "?" })], [token(1), token(2)]);
  const extra = (targets: number[], tokens: number[], given = answer) =>
    extraIn(itemsIn(given, requestFor(asked(targets), asked(tokens))));

  expect(extra([1, 2], [1, 2])).toBe(1);
  expect(extra([1], [2])).toBe(3);
  expect(extra([], [])).toBe(5);
  expect(extra([1, 2], [3], answerOf([target(1)]))).toBe(0);
});

test("a repeated extra address counts once, an invalid address counts each time, and a repeated request item never", () => {
  const given = [target(1), target(1), target(2), target(2, { chain_id: "eth" }), target(3, { address: "0x" })];
  const answer = answerOf([...given, target(4, { address: "0x" }), target(2, { chain_id: "56" })]);

  expect(extraIn(itemsIn(answer, requestFor(asked([1]))))).toBe(4);
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

test("a bug in reading an item is thrown on", () => {
  const bug = new TypeError("a bug");
  const items = itemsIn(answerOf([target(1)]), requestFor(asked([1])));
  class Broken extends AnsweredItems<TargetItem> {
    override at(): never {
      throw bug;
    }
  }

  expect(() => evidenceAt(0, undefined, { ...items, targets: new Broken([], []) })).toThrow(bug);
});
