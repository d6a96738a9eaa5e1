import { describe, expect, test } from "vitest";
import { requestParser } from "../../../../src/api/requests/request.ts";
import { TransactionSecurityRequest } from "../../../../src/api/schemas/transaction-security.ts";
import { UNBOUNDED } from "../../../../src/chains/tron/calls/payout.ts";
import { contractTypeIds } from "../../../../src/chains/tron/message/contract-types.ts";
import { parseExact } from "../../../../src/kernel/json.ts";
import { analyseTransaction } from "../../../../src/service/tron-transactions/analyse-transaction.ts";
import * as p from "../../../fixtures/tron/parts.ts";
import { multicall, swapTo } from "../../../fixtures/tron/swaps.ts";
import { tronVectors } from "../../../support/tron-vectors.ts";

const parse = requestParser(TransactionSecurityRequest);

function analysed(transaction: unknown, more: object = {}) {
  const request = parse(parseExact(JSON.stringify({ tron_transactions: [transaction], ...more })));
  if (!request.ok) throw new Error(request.detail);
  return analyseTransaction(request.value, p.labels);
}

async function securityOf(transaction: unknown, more: object = {}) {
  const answered = await analysed(transaction, more);
  if (!answered.ok || !("security" in answered.body.data)) throw new Error("refused");
  return answered.body.data.security;
}

const namesOn = async (transaction: unknown, more: object = {}) =>
  (await securityOf(transaction, more)).risk_details.map(({ name }) => name);
const pay = (value: object = {}, more: object = {}) =>
  p.tx("TransferContract", { to_address: p.friend, amount: 5, ...value }, more);

describe("every type of the protocol", () => {
  const refused = ["CustomContract", "GetContract", "ShieldedTransferContract"];
  const unknown = ["LaterContract", "7", "47", "transferContract", "constructor"];

  test.each(Object.keys(contractTypeIds).filter((type) => !refused.includes(type)))("%s is analysed", async (type) => {
    const whom = { to_address: p.friend, account_address: p.friend, receiver_address: p.friend };
    const names = await namesOn(p.tx(type, { ...whom, contract_address: p.usdt }));
    expect(names).not.toContain("contract_not_named");
  });

  test.each([...refused, ...unknown])("%s is an unsupported operation", async (type) => {
    expect(await analysed(p.tx(type, {}))).toEqual({
      ok: false,
      failure: "invalidRequest",
      detail: `tron_transactions[0].raw_data.contract[0].type: unsupported operation ${type}`,
    });
  });

  test("the name of an unsupported operation is cut to the length of a name", async () => {
    expect(await analysed(p.tx("x".repeat(1_000), {}))).toMatchObject({
      detail: `tron_transactions[0].raw_data.contract[0].type: unsupported operation ${"x".repeat(60)}...`,
    });
  });

  test.each([{}, { data: "a9059cbb", call_value: 5 }])(
    "a call that names no contract is never called safe",
    async (value) => {
      expect(await securityOf(p.tx("TriggerSmartContract", value))).toMatchObject({ recommended_action: "WARN" });
      expect(await namesOn(p.tx("TriggerSmartContract", value))).toContain("contract_not_named");
    },
  );
});

test.each(tronVectors)("$name has no unexpected fields, as tronweb built it", async ({ transaction }) => {
  expect(await namesOn(transaction)).not.toContain("unexpected_fields");
});

describe("a malformed payload is refused with its path", () => {
  const value = "tron_transactions[0].raw_data.contract[0].parameter.value";

  test.each([
    [
      "an amount beyond 64 bits",
      pay({ amount: "9223372036854775808" }),
      `${value}.amount: must be an integer of 64 bits`,
    ],
    [
      "a list for an object",
      p.tx("CreateSmartContract", { new_contract: [] }),
      `${value}.new_contract: must be an object`,
    ],
    [
      "a word for a number, in a field that the interface does not name",
      p.tx("UpdateBrokerageContract", { brokerage: "much" }),
      `${value}.brokerage: must be an integer of 32 bits`,
    ],
    [
      "a threshold beyond 64 bits",
      p.update({ owner: p.permission("9223372036854775808", [[p.user, 1]]), actives: [] }),
      `${value}.owner.threshold: must be an integer of 64 bits`,
    ],
    [
      "a fee limit beyond 64 bits",
      pay({}, { raw: { fee_limit: "9223372036854775808" } }),
      "tron_transactions[0].raw_data.fee_limit: must be an integer of 64 bits",
    ],
    [
      "a permission that is no number",
      pay({}, { contract: { Permission_id: "owner" } }),
      "tron_transactions[0].raw_data.contract[0].Permission_id: must be an integer of 32 bits",
    ],
    ["a memo that is no text", pay({}, { raw: { data: 5 } }), "tron_transactions[0].raw_data.data: must be a string"],
  ])("the payload is refused: %s", async (_what, transaction, detail) => {
    expect(await analysed(transaction)).toEqual({ ok: false, failure: "invalidRequest", detail });
  });
});

test("the answer says that nothing was executed, if simulate was set", async () => {
  expect((await securityOf(pay())).not_analysed).toEqual(["execution"]);
  expect(await securityOf(pay(), { simulate: false })).not.toHaveProperty("not_analysed");
});

describe("a call with an effect that neither its data nor a node shows", () => {
  test.each([
    ["of an unknown function of an unknown contract", p.call(p.unknownContract, "12345678")],
    ["of nothing of an unknown contract", p.call(p.unknownContract, "")],
    ["of a known function of an unknown contract", p.call(p.unknownContract, swapTo(p.user))],
    ["of an unknown function of a labelled service", p.call(p.router, `12345678${p.addressWord(p.thief)}`)],
    ["of a known function and an unknown one", p.call(p.router, multicall(swapTo(p.user), "12345678"))],
    ["of a known function, cut", p.call(p.router, swapTo(p.user).slice(0, 200))],
    ["of an unknown function of a token", p.call(p.usdt, "12345678")],
    [
      "of a service that a token hands something on to",
      p.call(p.usdt, `${p.twoWords("4000aea0", p.router, 5)}${p.word(96)}${p.word(1)}ff`),
    ],
    [
      "of a service that a token hands on to it what does not end",
      p.call(p.usdt, `${p.twoWords("4000aea0", p.router, 5)}${p.word(2n ** 64n)}`),
    ],
    ["of an exchange's wallet", p.call(p.exchange, "d0e30db0")],
  ])("a call has an unknown effect: %s", async (_what, transaction) => {
    expect(await namesOn(transaction)).toContain("effect_unknown");
    expect(await namesOn(transaction, { simulate: false })).toContain("effect_unknown");
  });

  test.each([
    ["a payment", pay()],
    ["a transfer of a token", p.call(p.usdt, p.transferOf(p.friend, 5))],
    [
      "a router that is paid and told nothing",
      p.call(p.usdt, `${p.twoWords("4000aea0", p.router, 5)}${p.word(96)}${p.word(0)}`),
    ],
    ["an item of a collection", p.call(p.unknownContract, p.moveOf(p.user, p.friend, 5))],
    ["a swap by a labelled router", p.call(p.router, swapTo(p.user))],
    ["a deposit into a bridge", p.call(p.bridge, "d0e30db0", { call_value: 5 })],
    ["coins that are wrapped by a labelled token", p.call(p.usdt, "d0e30db0", { call_value: 5 })],
    ["a vote", p.tx("VoteWitnessContract", { votes: [{ vote_address: p.friend, vote_count: 1 }] })],
  ])("an unknown effect is not reported for %s", async (_what, transaction) => {
    expect(await namesOn(transaction)).not.toContain("effect_unknown");
    expect(await namesOn(transaction, { simulate: false })).not.toContain("effect_unknown");
  });
});

describe("an incoming TRC-10 with a name that only a node knows", () => {
  const trade = { exchange_id: 3, token_id: "5f", quant: 100, expected: 80 };
  const order = { sell_token_id: "5f", sell_token_quantity: 10, buy_token_id: "31303032303030", buy_token_quantity: 9 };
  const pair = { first_token_id: "5f", first_token_balance: 10, second_token_id: "31", second_token_balance: 10 };

  test.each([
    ["by a pair", p.tx("ExchangeTransactionContract", trade)],
    ["by an order", p.tx("MarketSellAssetContract", order)],
    ["by a pair that is made", p.tx("ExchangeCreateContract", pair)],
  ])("an incoming TRC-10 has an unknown effect: %s", async (_what, transaction) => {
    expect(await namesOn(transaction)).toContain("effect_unknown");
    expect(await namesOn(transaction, { simulate: false })).toContain("effect_unknown");
  });

  test.each([
    ["for coins", p.tx("MarketSellAssetContract", { ...order, sell_token_id: "31", buy_token_id: "5f" })],
    [
      "for coins, visible",
      p.tx("MarketSellAssetContract", { ...order, sell_token_id: "1", buy_token_id: "_" }, { top: { visible: true } }),
    ],
    ["that is sent", p.tx("TransferAssetContract", { to_address: p.friend, amount: 5, asset_name: "31" })],
  ])("an unknown effect is not reported for a TRC-10 %s", async (_what, transaction) => {
    expect(await namesOn(transaction)).not.toContain("effect_unknown");
  });
});

test("the transaction's own txID and raw_data_hex make no difference", async () => {
  const named = pay({}, { top: { txID: "ff".repeat(32), raw_data_hex: "00" } });

  expect(await securityOf(named)).toEqual(await securityOf(pay()));
});

test("every spelling of one operation has the same answer", async () => {
  const takeover = p.update({ owner: p.permission(1, [[p.thief, 1]]), actives: [p.ownActive] });
  const before = await securityOf(takeover);
  const hex = JSON.parse(JSON.stringify(takeover).replaceAll(p.user, "HEX").replaceAll("HEX", p.user));

  expect(await securityOf({ ...hex, visible: true })).toEqual(before);
  expect(before).toMatchObject({
    overall_score: 5,
    overall_risk_level: "Significant Risk",
    recommended_action: "BLOCK",
    risk_details: [
      {
        name: "owner_takeover",
        description: `takes the account away: ${p.thief} (weight 1), by a threshold of 1, could do everything with it, your own key ${p.user} (weight 0) alone nothing`,
      },
      {
        name: "permission_update",
        description: `sets all permissions of the account anew: owner with a threshold of 1: ${p.thief} (weight 1); active 0 with a threshold of 1: your key (weight 1); by none of the active ones could your own key alone ClearABI, UpdateBrokerage, MarketSellAsset, MarketCancelOrder, FreezeBalanceV2, UnfreezeBalanceV2, WithdrawExpireUnfreeze, DelegateResource, UnDelegateResource, CancelAllUnfreezeV2`,
      },
    ],
  });
});

test.each([
  [2, "is to be signed under permission 2 of the account"],
  [9, "is to be signed under permission 9 of the account"],
  [
    1,
    "is to be signed under permission 1 of the account, and no account has one of that number that signs transactions",
  ],
  [
    10,
    "is to be signed under permission 10 of the account, and no account has one of that number that signs transactions",
  ],
  [
    -1,
    "is to be signed under permission -1 of the account, and no account has one of that number that signs transactions",
  ],
])("permission %i is named, and whether an account can have it", async (Permission_id, description) => {
  expect((await securityOf(pay({}, { contract: { Permission_id } }))).risk_details).toEqual([
    { name: "signs_with_permission", description },
  ]);
});

/** Both sides of each rule's limit. */
describe("near misses", () => {
  const expiring = (lifetime: number) => pay({}, { raw: { timestamp: 1_000, expiration: 1_000 + lifetime } });
  const limited = (fee_limit: number) => pay({}, { raw: { fee_limit } });
  const memo = (text: string) => pay({}, { raw: { data: Buffer.from(text).toString("hex") } });
  const approval = (amount: bigint) => p.call(p.usdt, p.approveOf(p.thief, amount));

  test.each<[string, unknown, readonly string[]]>([
    ["an approval just below what counts as unlimited", approval(UNBOUNDED - 1n), ["limited_approval"]],
    ["just unlimited", approval(UNBOUNDED), ["unlimited_approval"]],
    ["an approval of nothing", approval(0n), []],
    ["a life of a day", expiring(86_400_000), []],
    ["a life of a day and a millisecond", expiring(86_400_001), ["expires_late"]],
    ["a life that begins nowhere", pay({}, { raw: { timestamp: 0, expiration: 1_800_000_000_000 } }), ["expires_late"]],
    ["a life of a millisecond", expiring(1), []],
    ["no life", expiring(0), ["expired"]],
    ["fees of 1000 TRX", limited(1_000_000_000), []],
    ["fees of 1000 TRX and a sun", limited(1_000_000_001), ["high_fee_limit"]],
    ["a memo that only speaks of the web", memo("paid on the www"), []],
    ["a memo with a mail address", memo("receipt to me@example.com please"), []],
    ["a memo with a file", memo("see invoice.pdf, v1.2, 3.50"), []],
    ["a memo with versions and amounts", memo("v1.10 of 10.00, 3.1o"), []],
    ["a memo in Cyrillic letters", memo("Оплата за май.Счёт 5, город Сочи.Спасибо"), []],
    ["a memo with a link", memo("see www.example.org"), ["memo_with_link"]],
    ["a payment of nothing", pay({ amount: 0 }), ["transfer_of_nothing"]],
    ["a payment without an amount", p.tx("TransferContract", { to_address: p.friend }), ["transfer_of_nothing"]],
    ["the item with the id 0", p.call(p.unknownContract, p.moveOf(p.user, p.friend, 0)), ["unknown_callee"]],
    ["no tokens", p.call(p.usdt, p.transferOf(p.friend, 0)), ["transfer_of_nothing"]],
    ["a payload with more than its type has", pay({ note: "x" }), ["unexpected_fields"]],
    ["a contract with more than contracts have", pay({}, { contract: { permission_id: 2 } }), ["unexpected_fields"]],
    ["a body with more than bodies have", pay({}, { raw: { note: "x" } }), ["unexpected_fields"]],
    ["permission 0, named", pay({}, { contract: { Permission_id: 0 } }), []],
    ["permission 2", pay({}, { contract: { Permission_id: 2 } }), ["signs_with_permission"]],
    ["a vote", p.tx("VoteWitnessContract", {}), []],
    ["an account that is created", p.tx("AccountCreateContract", { account_address: p.friend }), ["worth_knowing"]],
    [
      "a type_url under another prefix",
      pay(
        {},
        {
          contract: {
            parameter: {
              type_url: "x/protocol.TransferContract",
              value: { owner_address: p.user, to_address: p.friend, amount: 1 },
            },
          },
        },
      ),
      [],
    ],
    ["an exchange for two", p.tx("ExchangeTransactionContract", { expected: 2 }), ["effect_unknown"]],
    [
      "an exchange for one",
      p.tx("ExchangeTransactionContract", { expected: 1 }),
      ["exchange_without_minimum", "effect_unknown"],
    ],
    ["an order of the market for two", p.tx("MarketSellAssetContract", { buy_token_quantity: 2 }), ["effect_unknown"]],
    [
      "an order of the market for one",
      p.tx("MarketSellAssetContract", { buy_token_quantity: 1 }),
      ["exchange_without_minimum", "effect_unknown"],
    ],
    ["a delegation to oneself", p.tx("DelegateResourceContract", { receiver_address: p.user, lock: true }), []],
    [
      "a TRC-10 called USDTX",
      p.tx("TransferAssetContract", { to_address: p.friend, amount: 1, asset_name: "5553445458" }),
      [],
    ],
    [
      "a TRC-10 that is named, as before there were ids, USDT",
      p.tx("TransferAssetContract", { to_address: p.friend, amount: 1, asset_name: "55534454" }),
      ["counterfeit_asset_name"],
    ],
    [
      "a TRC-10 by its id, where nobody says what it is called",
      p.tx("TransferAssetContract", { to_address: p.friend, amount: 1, asset_name: "31303032303031" }),
      [],
    ],
    ["TRX to a well-known exchange", pay({ to_address: p.exchange }), []],
    [
      "a call of a well-known exchange with TRX",
      p.call(p.exchange, "d0e30db0", { call_value: 5 }),
      ["effect_unknown", "unknown_call"],
    ],
    ["no data to an unknown contract", p.call(p.unknownContract, ""), ["effect_unknown", "unknown_call"]],
  ])("the findings on a near miss: %s", async (_what, transaction, names) => {
    expect(await namesOn(transaction)).toEqual(names);
  });

  test.each([
    ["https://drainer.example/", ["malicious_site"]],
    ["https://a.b.DRAINER.example./x", ["malicious_site"]],
    ["https://drainer.example../x", ["malicious_site"]],
    ["https://notdrainer.example/", []],
    ["https://drainer.example.org/", []],
    ["https://good.example/", []],
  ])("the findings on the site %s", async (dapp_url, names) => {
    expect(await namesOn(pay(), { dapp_url })).toEqual(names);
  });
});
