import { describe, expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../../src/chains/address.ts";
import { withOwnParties } from "../../../../../src/worker/decide/tron-judge/beside-service.ts";
import { type OwnContext, ownPartiesOf } from "../../../../../src/worker/decide/tron-judge/own-parties.ts";
import { readTron } from "../../../../../src/worker/plan/reading/tron-reading.ts";
import * as p from "../../../../fixtures/tron/parts.ts";
import { multicall, paidOut, swapTo } from "../../../../fixtures/tron/swaps.ts";

const [own = p.user, second = p.user] = p.friends;
const { user, usdt, router, thief, call, approveOf, moveOf } = p;
const context: OwnContext = {
  isUser: (address) => address === own || address === second,
  isDoubtful: () => false,
  isKnown: (contract) => contract === usdt || contract === router,
  dappUrl: undefined,
};

function partiesOf(transaction: unknown, more: Partial<OwnContext> = {}) {
  const reading = readTron(transaction);
  if (!reading.ok) throw new Error(reading.detail);
  const { sole } = reading.value;
  return sole === undefined ? undefined : ownPartiesOf(sole, { ...context, ...more });
}

const lent = (receiver_address: CanonicalAddress) =>
  p.tx("DelegateResourceContract", { balance: 5, receiver_address, lock: true });

describe("the user's own addresses are found", () => {
  test.each<[string, unknown, object]>([
    ["as a spender", call(usdt, approveOf(own, p.MAX)), { role: "spender", own: [own], beside: [user, usdt] }],
    ["as an operator", call(usdt, p.twoWords("a22cb465", own, 1)), { role: "spender", own: [own] }],
    ["as the giver of tokens", call(usdt, moveOf(own, user, 5)), { role: "giver", own: [own] }],
    ["as giver and recipient", call(usdt, moveOf(own, second, 5)), { role: "giver", own: [own, second] }],
    ["as a receiver of resources", lent(own), { role: "receiver", own: [own], beside: [user] }],
    ["as the recipient of a swap", call(router, swapTo(own)), { role: "beneficiary", own: [own] }],
    [
      "as the recipient of two swaps in one call",
      call(router, multicall(swapTo(own), swapTo(user))),
      { role: "beneficiary", own: [own] },
    ],
  ])("%s", (_what, transaction, expected) => {
    expect(partiesOf(transaction)).toMatchObject(expected);
  });

  test.each(paidOut)("as the recipient of $signature", ({ to }) => {
    // A forwarding call alone names a contract's own balance, and belongs to a multicall.
    expect(partiesOf(call(router, to(own)))).toMatchObject({ role: "beneficiary", own: [own] });
  });
});

describe("nothing is found", () => {
  test.each<[string, unknown, Partial<OwnContext>?]>([
    ["for a stranger as spender", call(usdt, approveOf(thief, p.MAX))],
    [
      "for a spender whom a list accuses or who looks like another",
      call(usdt, approveOf(own, 5)),
      { isDoubtful: () => true },
    ],
    ["for the owner alone", call(usdt, moveOf(user, user, 5))],
    ["for a token that no label names", call(p.unknownContract, approveOf(own, 5))],
    ["beside coins", call(usdt, approveOf(own, 5), { call_value: 1 })],
    ["beside a TRC-10", call(usdt, approveOf(own, 5), { call_token_value: 1, token_id: 1_002_000 })],
    ["for arguments that are cut", call(usdt, approveOf(own, 5).slice(0, -2))],
    [
      "beside bytes that the token hands on",
      call(usdt, `${p.twoWords("cae9ca51", own, 5)}${p.word(96)}${p.word(32)}${p.addressWord(thief)}`),
    ],
    ["for a call that the token makes at the spender", call(usdt, p.twoWords("3177029f", own, 5))],
    [
      "for a permit of another's tokens",
      call(usdt, `d505accf${p.addressWord(thief)}${p.addressWord(own)}${p.word(5).repeat(5)}`),
    ],
    ["for a recipient who is a stranger", call(usdt, moveOf(own, thief, 5))],
    ["for a giver who is a stranger", call(usdt, moveOf(thief, own, 5))],
    ["for approvals in a multicall", call(usdt, multicall(approveOf(own, 5), approveOf(thief, 5)))],
    ["for a swap beside one for a stranger", call(router, multicall(swapTo(own), swapTo(thief)))],
    ["for a swap beside an approval", call(router, multicall(swapTo(own), approveOf(own, 5)))],
    ["for a swap that stays with the router", call(router, multicall(swapTo(own), swapTo(router)))],
    ["for a swap by a contract that no label names", call(p.unknownContract, swapTo(own))],
    ["for a call that no table has", call(router, "12345678")],
    ["for power over a contract", call(usdt, `f2fde38b${p.addressWord(own)}`)],
    ["for resources lent to a stranger", lent(thief)],
    ["for a payment", p.tx("TransferContract", { to_address: own, amount: 5 })],
    [
      "for members that the protocol does not have",
      p.tx("DelegateResourceContract", { balance: 5, receiver_address: own, odd: 1 }),
    ],
    ["for a type that is named twice and differently", typed(lent(own), "protocol.TransferContract")],
    ["for two operations", twice(lent(own))],
  ])("%s", (_what, transaction, more) => {
    expect(partiesOf(transaction, more)).toBeUndefined();
  });

  test("for more recipients than a service's text names", () => {
    const many = Array.from({ length: 5 }, (_, i) => p.addressOf(`own ${i}`));
    const transaction = call(router, multicall(...many.map((each) => swapTo(each))));

    expect(partiesOf(transaction, { isUser: (address) => many.includes(address) })).toBeUndefined();
    expect(partiesOf(transaction, { isUser: (address) => many.slice(0, 4).includes(address) })).toBeUndefined();
  });
});

const shared = (threshold: number, ...keys: readonly (readonly [string, number])[]) => p.permission(threshold, keys);
const acting = (threshold: number, ...keys: readonly (readonly [string, number])[]) => p.active(threshold, keys);
const three = [
  [user, 1],
  [own, 1],
  [second, 1],
] as const;

describe("keys of a permission update", () => {
  test("are the user's own: two of three, the owner's key among them", () => {
    expect(partiesOf(p.update({ owner: shared(2, ...three), actives: [acting(2, ...three)] }))).toMatchObject({
      role: "keys",
      own: [own, second],
    });
  });

  test.each<[string, unknown, Partial<OwnContext>?]>([
    [
      "a stranger among them",
      p.update({ owner: shared(2, [user, 1], [own, 1], [thief, 1]), actives: [acting(2, ...three)] }),
    ],
    [
      "a stranger in an active permission",
      p.update({ owner: shared(2, ...three), actives: [acting(2, [user, 1], [thief, 1])] }),
    ],
    [
      "a stranger as witness",
      p.update({ owner: shared(2, ...three), witness: shared(1, [thief, 1]), actives: [acting(2, ...three)] }),
    ],
    ["no key of the owner's", p.update({ owner: shared(2, [own, 1], [second, 1]), actives: [acting(2, ...three)] })],
    [
      "one other key that reaches the threshold",
      p.update({ owner: shared(2, [user, 1], [own, 2]), actives: [acting(2, ...three)] }),
    ],
    ["one other key that acts alone", p.update({ owner: shared(2, ...three), actives: [acting(1, ...three)] })],
    ["a threshold that nobody reaches", p.update({ owner: shared(4, ...three), actives: [acting(2, ...three)] })],
    ["a threshold of 0", p.update({ owner: shared(0, ...three), actives: [acting(2, ...three)] })],
    [
      "a key that stands there twice",
      p.update({ owner: shared(2, [user, 1], [own, 1], [own, 1]), actives: [acting(2, ...three)] }),
    ],
    ["a key of weight 0", p.update({ owner: shared(1, [user, 1], [own, 0]), actives: [acting(2, ...three)] })],
    ["no active permission", p.update({ owner: shared(2, ...three), actives: [] })],
    ["no owner permission", p.update({ actives: [acting(2, ...three)] })],
    ["the owner's key alone", p.update({ owner: p.own, actives: [p.ownActive] })],
    [
      "a site that asks for it",
      p.update({ owner: shared(2, ...three), actives: [acting(2, ...three)] }),
      { dappUrl: "https://wallet.example.org/" },
    ],
  ])("are not enough with %s", (_what, transaction, more) => {
    expect(partiesOf(transaction, more)).toBeUndefined();
  });
});

test("what a service sends in the worker's field is dropped", () => {
  const security = { overall_score: 0, overall_risk_level: "", recommended_action: "ALLOW" as const, risk_details: [] };
  const sent = { security, own_parties: { role: "keys" as const, own: [thief], beside: [] } };
  const read = { role: "spender" as const, own: [own], beside: [user] };

  expect(withOwnParties(sent, undefined)).toEqual({ security });
  expect(withOwnParties(sent, read)).toEqual({ security, own_parties: read });
  expect(withOwnParties({ security }, undefined)).toEqual({ security });
});

interface Typed {
  readonly raw_data: { readonly contract: readonly { readonly parameter: object }[] };
}

function typed(transaction: unknown, name: string): unknown {
  const { raw_data, ...rest } = transaction as Typed;
  const contract = raw_data.contract.map((each) => ({
    ...each,
    parameter: { ...each.parameter, type_url: `type.googleapis.com/${name}` },
  }));
  return { ...rest, raw_data: { ...raw_data, contract } };
}

function twice(transaction: unknown): unknown {
  const { raw_data, ...rest } = transaction as Typed;
  return { ...rest, raw_data: { ...raw_data, contract: [...raw_data.contract, ...raw_data.contract] } };
}
