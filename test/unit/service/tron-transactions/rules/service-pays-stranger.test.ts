import { describe, expect, test } from "vitest";
import { requestParser } from "../../../../../src/api/requests/request.ts";
import { TransactionSecurityRequest } from "../../../../../src/api/schemas/transaction-security.ts";
import { ok } from "../../../../../src/kernel/result.ts";
import { analyseTransaction } from "../../../../../src/service/tron-transactions/analyse-transaction.ts";
import { eventTopics } from "../../../../../src/service/tron-transactions/token-moves.ts";
import type { CoinPayment, TronEventLog } from "../../../../../src/service/tron-transactions/tron-node.ts";
import { fakeNode } from "../../../../fakes/tron/fake-node.ts";
import * as p from "../../../../fixtures/tron/parts.ts";

const parse = requestParser(TransactionSecurityRequest);
const nobody = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";
const pool = p.addressOf("pool");
const { user, router, thief, accomplice, friend, usdt, gold } = p;

const moved = (token: typeof usdt, from: string, to: string, amount: number): TronEventLog => ({
  contract: token,
  topics: [eventTopics.Transfer, p.addressWord(from), p.addressWord(to)],
  data: p.word(amount),
});
const item = (from: string, to: string, id: number): TronEventLog => ({
  contract: p.unknownContract,
  topics: [eventTopics.Transfer, p.addressWord(from), p.addressWord(to), p.word(id)],
  data: "",
});
const coins = (from: typeof usdt, to: typeof usdt, sun: bigint): CoinPayment => ({ from, to, sun });

async function namesOn(transaction: unknown, logs: readonly TronEventLog[], payments: readonly CoinPayment[] = []) {
  const request = parse({ tron_transactions: [transaction] });
  if (!request.ok) throw new Error(request.detail);
  const node = fakeNode({ execute: async () => ok({ ended: "done", returned: "", logs, payments }) });
  const answered = await analyseTransaction(request.value, p.labels, node);
  if (!answered.ok) throw new Error(answered.detail);
  return answered.body.data.security.risk_details;
}

const called = p.call(router, "12345678");

describe("a labelled service pays strangers", () => {
  test.each<[string, readonly TronEventLog[], readonly CoinPayment[]]>([
    ["what it takes of the user", [moved(usdt, user, router, 100), moved(usdt, router, thief, 100)], []],
    ["straight from him", [moved(usdt, user, thief, 100)], []],
    ["what it yields", [moved(usdt, user, router, 100), moved(gold, pool, thief, 90)], []],
    ["new shares of what he pays", [moved(usdt, user, router, 100), moved(gold, nobody, thief, 90)], []],
    ["what he had there", [moved(usdt, router, thief, 100)], []],
    ["coins", [], [coins(router, thief, 5n)]],
    ["his item", [item(user, thief, 7)], []],
    ["the most of it", [moved(usdt, user, router, 100), moved(gold, pool, thief, 60), moved(gold, pool, user, 30)], []],
    [
      "the most of it in parts that are each less than his",
      [
        moved(usdt, user, router, 100),
        moved(gold, pool, thief, 30),
        moved(gold, pool, accomplice, 30),
        moved(gold, pool, user, 40),
      ],
      [],
    ],
    [
      "what he pays, and him a little of another",
      [moved(usdt, user, thief, 51), moved(usdt, user, router, 49), moved(gold, router, user, 1)],
      [],
    ],
    ["one item, and him another", [item(router, thief, 7), item(router, user, 8)], []],
  ])("the payment to a stranger is reported: %s", async (_what, logs, payments) => {
    expect((await namesOn(called, logs, payments)).map(({ name }) => name)).toEqual(["service_pays_stranger"]);
  });

  test("at most five strangers are named in the finding", async () => {
    const many = [1, 2, 3, 4, 5, 6, 7].map((i) => p.addressOf(`thief ${i}`));
    const [found] = await namesOn(
      called,
      many.map((each) => moved(usdt, user, each, 1)),
    );

    expect(found?.description).toBe(
      `the labelled service ${router} pays ${many.slice(0, 5).join(", ")} and 2 more, of whom nothing is known and whom the call does not name, and you nothing`,
    );
  });
});

describe("payments that are not reported", () => {
  test.each<[string, readonly TronEventLog[], readonly CoinPayment[]]>([
    ["where it keeps what it takes", [moved(usdt, user, router, 100)], []],
    ["where another service gets it", [moved(usdt, user, p.bridge, 100)], []],
    ["where it is burnt", [moved(usdt, user, nobody, 100)], []],
    ["in a swap by a pool", [moved(usdt, user, pool, 100), moved(gold, pool, user, 90)], []],
    [
      "in a swap by two pools",
      [moved(usdt, user, pool, 100), moved(gold, pool, friend, 90), moved(usdt, friend, user, 80)],
      [],
    ],
    [
      "with a fee of what is paid",
      [moved(usdt, user, pool, 99), moved(usdt, user, friend, 1), moved(gold, pool, user, 90)],
      [],
    ],
    [
      "with a fee of what is yielded",
      [moved(usdt, user, pool, 100), moved(gold, pool, friend, 1), moved(gold, pool, user, 90)],
      [],
    ],
    [
      "where a pool makes tokens for its owners",
      [moved(gold, user, pool, 100), moved(gold, nobody, friend, 9), moved(usdt, pool, user, 90)],
      [],
    ],
    [
      "with coins that come back",
      [moved(usdt, user, pool, 100), moved(gold, pool, router, 9)],
      [coins(router, user, 9n)],
    ],
    ["where nothing moves", [], []],
    ["where nothing is sent to somebody", [moved(usdt, user, router, 100), moved(usdt, router, friend, 0)], []],
  ])("no payment to a stranger is reported: %s", async (_what, logs, payments) => {
    expect(await namesOn(called, logs, payments)).toEqual([]);
  });

  test("a stranger that the call names is reported by `proceeds_to_another` alone", async () => {
    const named = p.call(router, `12345678${p.addressWord(thief)}`);
    const names = (await namesOn(named, [moved(usdt, user, thief, 100)])).map(({ name }) => name);

    expect(names).toEqual(["proceeds_to_another"]);
  });

  test("a fee in coins of the call's payment is not reported, and a larger part is", async () => {
    const paying = p.call(router, "12345678", { call_value: 100 });
    const logs = [moved(gold, pool, user, 90)];

    expect(await namesOn(paying, logs, [coins(router, friend, 50n), coins(router, pool, 50n)])).toEqual([]);
    expect((await namesOn(paying, logs, [coins(router, friend, 51n)])).map(({ name }) => name)).toEqual([
      "service_pays_stranger",
    ]);
  });
});
