import { describe, expect, test } from "vitest";
import type { ResponseOf } from "../../../../src/api/routes.ts";
import { type SentTransactions, splitAnswer } from "../../../../src/worker/simulation/split-answer.ts";
import { summarized } from "../../../fakes/solana/ledger-service.ts";
import { type Effect, plain, Transactions } from "../../../fakes/solana/transactions.ts";

type Answer = ResponseOf<"solanaEmulate">;
type Item = Answer["data"]["results"][number];

const transactions = new Transactions();

function sentAs(name: string, effect: Effect, ownName?: string): SentTransactions[number] {
  const made = transactions.make(effect);
  const transaction = ownName === undefined ? made : { ...made, name: ownName };
  return { transaction, name, locks: transactions.locksOf(made) };
}

const a = sentAs("w1", plain(1, [11], [50]));
const b = sentAs("w2", plain(2, [12], [50]));
const undecodable = sentAs("w3", { ...plain(3), form: "undecodable" });

/** A result without errors. */
function resultOf({ name, locks }: SentTransactions[number], own: Partial<Record<keyof Item, unknown>> = {}): Item {
  const from = locks?.feePayer ?? null;
  const involved = [...(locks?.writable ?? [])];
  const risks = involved.map((address) => ({ address, risk_level: 0 }));
  const result = { from, name, error: null, involved_addresses: involved, involved_addresses_risks: risks };
  return { ...result, balance_changes: [], ...own } as Item;
}

function changed(answer: Answer, own: { summary?: object; data?: object }): Answer {
  const exec_summary = { ...answer.data.exec_summary, ...own.summary };
  return { ...answer, data: { ...answer.data, ...own.data, exec_summary } };
}

const refused = (message: string) => expect.objectContaining({ code: "ANSWER_INVALID", message });
const doubt = {
  count: (results: number, sent: number) => refused(`${results} results for ${sent} transactions`),
  stranger: refused("a result belongs to another transaction"),
  failed: refused("not every transaction simulated normally"),
  incomplete: refused("a result is not complete"),
  mixed: refused("a result names an account of another event"),
  error: refused("the answer carries an error beside its data"),
};

describe("the answer for a group", () => {
  const good = summarized([resultOf(a), resultOf(b)]);

  test("each event gets the summary and its own result, without the name in the request", () => {
    const evidence = splitAnswer(good, [[a], [b]]);

    const { exec_summary } = good.data;
    expect(evidence).toEqual([
      { exec_summary, results: [withoutName(resultOf(a))] },
      { exec_summary, results: [withoutName(resultOf(b))] },
    ]);
    expect(JSON.stringify(evidence)).not.toContain('"w');
  });

  test("the event's own name is restored", () => {
    const named = sentAs("w9", plain(9), "payout 7");

    const [, evidence] = splitAnswer(summarized([resultOf(a), resultOf(named)]), [[a], [named]]);

    expect(evidence?.results[0]?.name).toBe("payout 7");
  });

  test("new fields are kept in the event's own result, and removed from the summary", () => {
    const results = [resultOf(a, { logs: ["hello"] } as object), resultOf(b)];
    const answer = changed(summarized(results), { summary: { slowest: "b" }, data: { all_accounts: ["b"] } });

    const [evidence] = splitAnswer(answer, [[a], [b]]);

    expect(evidence?.results[0]).toMatchObject({ logs: ["hello"] });
    expect(evidence).not.toHaveProperty("all_accounts");
    expect(evidence?.exec_summary).not.toHaveProperty("slowest");
  });

  test.each([
    ["only by the fee payer", { name: undefined }],
    ["only by the name", { from: null }],
  ])("a result may be identified %s", (_how, own) => {
    const evidence = splitAnswer(summarized([resultOf(a, own), resultOf(b)]), [[a], [b]]);

    expect(evidence).toHaveLength(2);
  });

  const exchanged = [resultOf(b), resultOf(a)];
  const nameless = { name: undefined };
  test.each<[string, Answer, unknown]>([
    ["too few results", summarized([resultOf(a)]), doubt.count(1, 2)],
    ["too many results", summarized([resultOf(a), resultOf(b), resultOf(b)]), doubt.count(3, 2)],
    ["results in another order", summarized(exchanged), doubt.stranger],
    ["fee payers in another order", summarized([resultOf(b, nameless), resultOf(a, nameless)]), doubt.stranger],
    ["names in another order", summarized([resultOf(a, { name: "w2" }), resultOf(b, { name: "w1" })]), doubt.stranger],
    ["another request's name", summarized([resultOf(a, { name: "w0" }), resultOf(b)]), doubt.stranger],
    ["another fee payer", summarized([resultOf(a, { from: "x" }), resultOf(b)]), doubt.stranger],
    [
      "neither name nor fee payer",
      summarized([resultOf(a, { name: undefined, from: null }), resultOf(b)]),
      doubt.incomplete,
    ],
    ["a failed result", summarized([resultOf(a, { error: "AccountNotFound" }), resultOf(b)]), doubt.failed],
    [
      "an error that the summary hides",
      changed(summarized([resultOf(a, { error: "AccountNotFound" }), resultOf(b)]), {
        summary: { result_code: "000000000", error_data: null },
      }),
      doubt.incomplete,
    ],
    [
      "an empty error",
      changed(good, { data: { results: [resultOf(a, { error: "" }), resultOf(b)] } }),
      doubt.incomplete,
    ],
    ["another result code", changed(good, { summary: { result_code: "0" } }), doubt.failed],
    ["error data beside a good code", changed(good, { summary: { error_data: "timeout" } }), doubt.failed],
    ["no risks", summarized([resultOf(a, { involved_addresses_risks: undefined }), resultOf(b)]), doubt.incomplete],
    ["no balance changes", summarized([resultOf(a), resultOf(b, { balance_changes: undefined })]), doubt.incomplete],
    [
      "a stranger's risk",
      summarized([
        resultOf(a, { involved_addresses_risks: [{ address: b.locks?.writable[1], risk_level: 5 }] }),
        resultOf(b),
      ]),
      doubt.mixed,
    ],
    [
      "a stranger in a new field",
      summarized([resultOf(a), resultOf(b, { all: { payers: [a.locks?.feePayer] } } as object)]),
      doubt.mixed,
    ],
    ["an error beside its data", { ...good, error: "partial" }, doubt.error],
    ["an error in its data", changed(good, { data: { error: {} } }), doubt.error],
  ])("an answer with %s is doubtful", (_what, answer, message) => {
    expect(() => splitAnswer(answer, [[a], [b]])).toThrow(message as Error);
  });
});

describe("the answer for a single event", () => {
  test("the answer is used as it is, with new fields", () => {
    const answer = changed(summarized([resultOf(a)]), { summary: { slowest: "a" }, data: { all_accounts: ["a"] } });

    const [evidence] = splitAnswer(answer, [[a]]);

    expect(evidence).toEqual({ ...answer.data, results: [withoutName(resultOf(a))] });
  });

  test("a failed simulation is an answer", () => {
    const answer = summarized([resultOf(a, { error: "AccountNotFound", involved_addresses_risks: undefined })]);

    const [evidence] = splitAnswer(answer, [[a]]);

    expect(evidence?.exec_summary.result_code).not.toBe("000000000");
    expect(evidence?.results[0]?.error).toBe("AccountNotFound");
  });

  test("a transaction with unknown locks is identified by its name, or by being alone", () => {
    const answers = [resultOf(undecodable, { from: "anyone" }), resultOf(undecodable, { name: undefined })];

    for (const result of answers) expect(splitAnswer(summarized([result]), [[undecodable]])).toHaveLength(1);
  });

  test("a sequence gets all its results in order, and its accounts may overlap", () => {
    const second = sentAs("w5", plain(1, [11], [12]), "second");
    const answer = summarized([resultOf(a), resultOf(second)]);

    const [evidence] = splitAnswer(answer, [[a, second]]);

    expect(evidence?.results).toEqual([withoutName(resultOf(a)), { ...resultOf(second), name: "second" }]);
  });

  test.each<[string, Answer, unknown]>([
    ["no result", summarized([]), doubt.count(0, 1)],
    ["two results", summarized([resultOf(a), resultOf(a)]), doubt.count(2, 1)],
    ["a stranger's result", summarized([resultOf(b)]), doubt.stranger],
    ["another fee payer", summarized([resultOf(a, { from: b.locks?.feePayer })]), doubt.stranger],
    ["an error beside its data", { ...summarized([resultOf(a)]), error: "partial" }, doubt.error],
  ])("an answer with %s is rejected", (_what, answer, message) => {
    expect(() => splitAnswer(answer, [[a]])).toThrow(message as Error);
  });
});

function withoutName({ name: _sent, ...result }: Item): Item {
  return result;
}
