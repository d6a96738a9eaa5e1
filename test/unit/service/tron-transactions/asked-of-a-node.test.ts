import { describe, expect, test } from "vitest";
import { requestParser } from "../../../../src/api/requests/request.ts";
import { TransactionSecurityRequest } from "../../../../src/api/schemas/transaction-security.ts";
import type { CanonicalAddress } from "../../../../src/chains/address.ts";
import { fail, ok } from "../../../../src/kernel/result.ts";
import { analyseTransaction } from "../../../../src/service/tron-transactions/analyse-transaction.ts";
import { eventTopics } from "../../../../src/service/tron-transactions/token-moves.ts";
import type { TronEventLog, TronNode } from "../../../../src/service/tron-transactions/tron-node.ts";
import { fakeNode, stateOf } from "../../../fakes/tron/fake-node.ts";
import * as p from "../../../fixtures/tron/parts.ts";

const parse = requestParser(TransactionSecurityRequest);

async function answered(transaction: unknown, node: TronNode | undefined, more: object = {}) {
  const request = parse({ tron_transactions: [transaction], ...more });
  if (!request.ok) throw new Error(request.detail);
  return analyseTransaction(request.value, p.labels, node);
}

async function securityOf(transaction: unknown, node: TronNode | undefined, more: object = {}) {
  const answer = await answered(transaction, node, more);
  if (!answer.ok) throw new Error(answer.detail);
  return answer.body.data.security;
}

const namesOn = async (transaction: unknown, node: TronNode) =>
  (await securityOf(transaction, node)).risk_details.map(({ name }) => name);
const pay = (to_address: string = p.friend) => p.tx("TransferContract", { to_address, amount: 5 });
const takeover = p.update({ owner: p.permission(1, [[p.thief, 1]]), actives: [p.ownActive] });

describe("the node's queries for a transaction", () => {
  test.each<[string, unknown, readonly string[]]>([
    ["a payment", pay(), [`account ${p.user}`, `account ${p.friend}`]],
    ["a payment to oneself", pay(p.user), [`account ${p.user}`]],
    ["a vote", p.tx("VoteWitnessContract", {}), [`account ${p.user}`]],
    [
      "a token's transfer",
      p.call(p.usdt, p.transferOf(p.friend, 5)),
      [`account ${p.user}`, `account ${p.friend}`, `code ${p.usdt}`, `execute ${p.usdt} a9059cbb`],
    ],
    [
      "an approval, and what there is to take",
      p.call(p.usdt, p.approveOf(p.thief, 5)),
      [
        `account ${p.user}`,
        `account ${p.thief}`,
        `code ${p.usdt}`,
        `execute ${p.usdt} 095ea7b3`,
        `execute ${p.usdt} 70a08231`,
      ],
    ],
    [
      "an approval that is taken back",
      p.call(p.usdt, p.approveOf(p.thief, 0)),
      [`account ${p.user}`, `code ${p.usdt}`, `execute ${p.usdt} 095ea7b3`],
    ],
    [
      "another call",
      p.call(p.unknownContract, "12345678"),
      [`account ${p.user}`, `code ${p.unknownContract}`, `execute ${p.unknownContract} 12345678`],
    ],
    [
      "a TRC-10, and whoever gets it",
      p.tx("TransferAssetContract", { to_address: p.friend, amount: 5, asset_name: "31303032303031" }),
      [`account ${p.user}`, `account ${p.friend}`, "asset 1002001"],
    ],
    ["a call that names no contract", p.tx("TriggerSmartContract", {}), [`account ${p.user}`]],
  ])("the queries for %s", async (_what, transaction, asked) => {
    const node = fakeNode();

    await securityOf(transaction, node);

    expect(node.asked).toEqual(asked);
  });

  test("the code of a paid contract is read, and a paid wallet has none to read", async () => {
    const account: TronNode["account"] = async (address) => ok(stateOf(address, { isContract: address === p.friend }));
    const [paid, other] = [fakeNode({ account }), fakeNode({ account })];

    await securityOf(pay(p.friend), paid);
    await securityOf(pay(p.thief), other);

    expect(paid.asked).toEqual([`account ${p.user}`, `account ${p.friend}`, `code ${p.friend}`]);
    expect(other.asked).toEqual([`account ${p.user}`, `account ${p.thief}`]);
  });

  test("without simulate the node gets no query", async () => {
    const node = fakeNode();

    const security = await securityOf(pay(), node, { simulate: false });

    expect(node.asked).toEqual([]);
    expect(security).not.toHaveProperty("not_analysed");
  });

  test("the executed call has the exact amounts of the transaction", async () => {
    const calls: unknown[] = [];
    const execute: TronNode["execute"] = async (call) => {
      calls.push(call);
      return ok({ ended: "done", returned: "", logs: [], payments: [] });
    };
    const amounts = { call_value: "9007199254740993", call_token_value: "9223372036854775807", token_id: 1_002_000 };

    await securityOf(p.call(p.unknownContract, "12345678", amounts), fakeNode({ execute }));

    expect(calls).toEqual([
      {
        owner: p.user,
        contract: p.unknownContract,
        data: "12345678",
        valueSun: 9_007_199_254_740_993n,
        tokenValue: 9_223_372_036_854_775_807n,
        tokenId: 1_002_000n,
      },
    ]);
  });
});

describe("the parts that were not analysed", () => {
  test.each<[string, unknown, TronNode | undefined, readonly string[] | undefined]>([
    ["nothing", pay(), fakeNode(), undefined],
    ["everything, without a node", pay(), undefined, ["execution"]],
    ["a call that names no contract", p.tx("TriggerSmartContract", {}), fakeNode(), ["execution"]],
    ["a constructor", p.tx("CreateSmartContract", { new_contract: {} }), fakeNode(), ["execution"]],
  ])("the answer names what was not analysed: %s", async (_what, transaction, node, skipped) => {
    expect((await securityOf(transaction, node)).not_analysed).toEqual(skipped);
  });
});

describe("a node that fails", () => {
  const failing = async () => fail("node:8090/wallet/x: answered 500");
  const called = p.call(p.usdt, p.approveOf(p.router, 5));

  test.each<[string, Partial<TronNode>]>([
    ["about accounts", { account: failing }],
    ["about code", { code: failing }],
    ["about executions", { execute: failing }],
    ["about the second account only", { account: async (a) => (a === p.user ? ok(stateOf(a)) : failing()) }],
    [
      "about the balance only",
      {
        execute: async ({ data }) =>
          data.startsWith("70a08231") ? failing() : ok({ ended: "done", returned: "", logs: [], payments: [] }),
      },
    ],
  ])("a failed query %s leaves no verdict", async (_what, replaced) => {
    expect(await answered(called, fakeNode(replaced))).toEqual({
      ok: false,
      failure: "internal",
      detail: "internal server error",
    });
  });

  test("a failed query about the code of a paid contract leaves no verdict", async () => {
    const account: TronNode["account"] = async (address) => ok(stateOf(address, { isContract: true }));

    expect((await answered(pay(), fakeNode({ account, code: failing }))).ok).toBe(false);
  });

  test("a failed query about a TRC-10 leaves no verdict", async () => {
    const sent = p.tx("TransferAssetContract", { to_address: p.friend, amount: 5, asset_name: "31303032303031" });

    expect((await answered(sent, fakeNode({ asset: failing }))).ok).toBe(false);
  });

  test("a BLOCK stays after a failed query, and the answer says that nothing was executed", async () => {
    const security = await securityOf(takeover, fakeNode({ account: failing }));

    expect(security).toMatchObject({ recommended_action: "BLOCK", not_analysed: ["execution"] });
  });

  test("a warning alone is not answered after a failed query", async () => {
    const approval = p.call(p.usdt, p.approveOf(p.thief, p.MAX));

    expect((await answered(approval, fakeNode({ execute: failing }))).ok).toBe(false);
  });
});

const topic = (address: string) => p.addressWord(address);
const moved = (contract: CanonicalAddress, from: string, to: string, amount: bigint | number): TronEventLog => ({
  contract,
  topics: [eventTopics.Transfer, topic(from), topic(to)],
  data: p.word(amount),
});
const allowed = (
  contract: CanonicalAddress,
  giver: string,
  spender: string,
  amount: bigint | number,
): TronEventLog => ({
  contract,
  topics: [eventTopics.Approval, topic(giver), topic(spender)],
  data: p.word(amount),
});
const writing = (...logs: readonly TronEventLog[]) =>
  fakeNode({ execute: async () => ok({ ended: "done", returned: p.word(1_000), logs, payments: [] }) });

/** Both sides of each rule's limit. */
describe("near misses", () => {
  const transfer = p.call(p.usdt, p.transferOf(p.friend, 100));
  const called = p.call(p.unknownContract, "12345678");
  const approve = (amount: number) => p.call(p.usdt, p.approveOf(p.thief, amount));

  test.each<[string, unknown, readonly TronEventLog[], readonly string[]]>([
    ["a transfer as it should be", transfer, [moved(p.usdt, p.user, p.friend, 100)], []],
    [
      "most of it elsewhere, in parts of a third",
      transfer,
      [
        moved(p.usdt, p.user, p.friend, 1),
        moved(p.usdt, p.user, p.thief, 33),
        moved(p.usdt, p.user, p.accomplice, 33),
        moved(p.usdt, p.user, p.bridge, 33),
      ],
      ["moves_other_tokens", "recipient_gets_less"],
    ],
    [
      "half of it elsewhere, in two parts",
      transfer,
      [
        moved(p.usdt, p.user, p.friend, 50),
        moved(p.usdt, p.user, p.thief, 25),
        moved(p.usdt, p.user, p.accomplice, 25),
      ],
      ["recipient_gets_less"],
    ],
    ["in two parts", transfer, [moved(p.usdt, p.user, p.friend, 60), moved(p.usdt, p.user, p.friend, 40)], []],
    ["with one unit less", transfer, [moved(p.usdt, p.user, p.friend, 99)], ["recipient_gets_less"]],
    ["with one unit more", transfer, [moved(p.usdt, p.user, p.friend, 101)], ["moves_other_tokens"]],
    [
      "half of it elsewhere",
      transfer,
      [moved(p.usdt, p.user, p.friend, 50), moved(p.usdt, p.user, p.thief, 50)],
      ["recipient_gets_less"],
    ],
    [
      "more than half of it elsewhere",
      transfer,
      [moved(p.usdt, p.user, p.friend, 49), moved(p.usdt, p.user, p.thief, 51)],
      ["moves_other_tokens", "recipient_gets_less"],
    ],
    [
      "another token, of which nothing",
      transfer,
      [moved(p.usdt, p.user, p.friend, 100), moved(p.gold, p.user, p.thief, 0)],
      ["moves_other_tokens"],
    ],
    [
      "another token of somebody else",
      transfer,
      [moved(p.usdt, p.user, p.friend, 100), moved(p.gold, p.friend, p.thief, 7)],
      [],
    ],
    [
      "a payment to oneself",
      p.call(p.usdt, p.transferOf(p.user, 100)),
      [moved(p.usdt, p.user, p.user, 100)],
      ["transfer_to_self"],
    ],
    [
      "tokens that are moved by name",
      p.call(p.usdt, p.moveOf(p.user, p.friend, 100)),
      [moved(p.usdt, p.user, p.friend, 100)],
      ["transfer_from_self"],
    ],
    ["an unknown call that takes nothing", called, [moved(p.gold, p.friend, p.user, 5)], ["unknown_call"]],
    ["one that takes an unit", called, [moved(p.gold, p.user, p.friend, 1)], ["tokens_leave", "unknown_call"]],
    [
      "one that pays a labelled thief",
      called,
      [moved(p.gold, p.user, p.drainer, 1)],
      ["malicious_address", "tokens_leave", "unknown_call"],
    ],
    ["one by which somebody else does", called, [moved(p.gold, p.friend, p.drainer, 1)], ["unknown_call"]],
    [
      "one that lets somebody under sanctions take tokens",
      called,
      [allowed(p.gold, p.user, p.sanctioned, 1)],
      ["sanctioned_address", "approves_others", "unknown_call"],
    ],
    ["one that takes such a right back", called, [allowed(p.gold, p.user, p.sanctioned, 0)], ["unknown_call"]],
    ["one of a labelled service", p.call(p.router, "12345678"), [moved(p.gold, p.user, p.router, 1)], []],
    [
      "an approval of somebody else's",
      transfer,
      [moved(p.usdt, p.user, p.friend, 100), allowed(p.usdt, p.friend, p.thief, 1)],
      [],
    ],
    [
      "an approval that is taken away on the way",
      transfer,
      [moved(p.usdt, p.user, p.friend, 100), allowed(p.usdt, p.user, p.thief, 0)],
      [],
    ],
    [
      "an approval on the way",
      transfer,
      [moved(p.usdt, p.user, p.friend, 100), allowed(p.usdt, p.user, p.thief, 1)],
      ["approves_others"],
    ],
    ["what is left of an allowance", called, [allowed(p.gold, p.user, p.unknownContract, 1)], ["unknown_call"]],
    ["an allowance of another", called, [allowed(p.gold, p.user, p.thief, 1)], ["approves_others", "unknown_call"]],
    ["an allowance of a labelled service", called, [allowed(p.gold, p.user, p.router, 1)], ["unknown_call"]],
    ["an approval as it is said", approve(5), [allowed(p.usdt, p.user, p.thief, 5)], ["limited_approval"]],
    [
      "an approval of another than is said",
      approve(5),
      [allowed(p.usdt, p.user, p.accomplice, 5)],
      ["approves_others", "limited_approval"],
    ],
    ["of less than there is", approve(999), [], ["limited_approval"]],
    ["of as much as there is", approve(1_000), [], ["spender_is_wallet", "unlimited_approval"]],
    [
      "a reduction of an allowance",
      p.call(p.usdt, p.twoWords("a457c2d7", p.thief, 5)),
      [allowed(p.usdt, p.user, p.thief, 7)],
      [],
    ],
    [
      "an operator of a collection that is not the one that is named",
      p.call(p.gold, p.twoWords("a22cb465", p.router, 1)),
      [{ contract: p.gold, topics: [eventTopics.ApprovalForAll, topic(p.user), topic(p.thief)], data: p.word(1) }],
      ["approves_others", "operator_approval_to_service"],
    ],
  ])("the findings on the logs of an execution: %s", async (_what, transaction, logs, names) => {
    expect(await namesOn(transaction, writing(...logs))).toEqual(names);
  });

  const funded = (sun: bigint) => fakeNode({ account: async (a) => ok(stateOf(a, { balanceSun: sun })) });
  const recipient = (more: Parameters<typeof stateOf>[1]) =>
    fakeNode({ account: async (a) => ok(a === p.user ? stateOf(a) : stateOf(a, more)) });
  const others = { owner: { name: "", threshold: 1n, keys: [{ address: p.thief, weight: 1n }] } };
  const controlled = { permissions: { ...others, witness: undefined, actives: [] } };

  test.each<[string, unknown, TronNode, readonly string[]]>([
    ["as much TRX as there is", pay(), funded(5n), []],
    ["a sun more", pay(), funded(4n), ["would_fail"]],
    ["a recipient with other keys", pay(), recipient(controlled), ["recipient_without_own_key"]],
    ["a labelled one", pay(p.exchange), recipient(controlled), []],
    [
      "a contract with none",
      p.call(p.usdt, p.transferOf(p.friend, 0)),
      recipient({ ...controlled, isContract: true }),
      ["transfer_of_nothing"],
    ],
    ["TRX to a contract", pay(), recipient({ isContract: true }), ["recipient_is_contract"]],
    [
      "everything for a contract",
      p.call(p.usdt, p.approveOf(p.thief, p.MAX)),
      recipient({ isContract: true }),
      ["unlimited_approval"],
    ],
    [
      "a token without the function, that hands calls on",
      p.call(p.usdt, p.approveOf(p.router, 5)),
      fakeNode({ code: async () => ok("f4") }),
      [],
    ],
    [
      "one that does not",
      p.call(p.usdt, p.approveOf(p.router, 5)),
      fakeNode({ code: async () => ok("00") }),
      ["call_not_in_code"],
    ],
    ["one that has it", p.call(p.usdt, p.approveOf(p.router, 5)), fakeNode({ code: async () => ok("63095ea7b3") }), []],
    [
      "one whose other code is in what is pushed",
      p.call(p.usdt, p.approveOf(p.router, 5)),
      fakeNode({ code: async () => ok("60f4") }),
      ["call_not_in_code"],
    ],
  ])("the findings on the state of the chain: %s", async (_what, transaction, node, names) => {
    expect(await namesOn(transaction, node)).toEqual(names);
  });

  test("a failing payment is described with the contract's own words, in quotes", async () => {
    const node = fakeNode({ execute: async () => ok({ ended: "failed", reason: 'the contract refuses it: "no"' }) });

    expect((await securityOf(transfer, node)).risk_details).toEqual([
      { name: "would_fail", description: 'would fail: the contract refuses it: "no"' },
    ]);
  });
});
