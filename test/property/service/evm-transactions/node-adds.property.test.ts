import fc from "fast-check";
import { expect, test } from "vitest";
import { requestParser } from "../../../../src/api/requests/request.ts";
import { EvmTransactionSecurityRequest } from "../../../../src/api/schemas/transaction-security.ts";
import type { EvmNode, Rehearsed } from "../../../../src/service/evm/node.ts";
import { analyseEvmTransaction } from "../../../../src/service/evm-transactions/analyse-evm-transaction.ts";
import { eventTopics } from "../../../../src/service/evm-transactions/event-logs.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { attacks, ordinary } from "../../../fixtures/evm-cases.ts";
import { exchange, friend, labels, me, router, stranger, token } from "../../../fixtures/evm-people.ts";

const read = requestParser(EvmTransactionSecurityRequest);
const somebody = fc.constantFrom(me, friend, stranger, router, exchange, token);
const word = fc.oneof(
  somebody.map((address) => address.slice(2).padStart(64, "0")),
  fc.nat(1_000).map((number) => number.toString(16).padStart(64, "0")),
);
const log = fc.record({
  contract: somebody,
  topics: fc
    .tuple(fc.constantFrom(...Object.values(eventTopics)), fc.array(word, { minLength: 2, maxLength: 3 }))
    .map(([topic, others]) => [topic, ...others]),
  data: fc.array(word, { maxLength: 3 }).map((words) => words.join("")),
});
const coin = fc.record({ from: somebody, to: somebody, amount: fc.bigInt({ min: 0n, max: 10n ** 20n }) });
const bytes = fc.uint8Array({ maxLength: 40 });
const results = fc.infiniteStream(
  fc.oneof(
    fc.constant({ ok: false } as const),
    fc.uint8Array({ minLength: 32, maxLength: 32 }).map((data) => ({ ok: true, data }) as const),
  ),
);
const ending = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ ok: true } as const) },
  bytes.map((returned) => ({ ok: false, returned }) as const),
);

/** A node with arbitrary answers. */
const anyNode = fc
  .record({
    code: bytes,
    balance: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    ending,
    logs: fc.array(log, { maxLength: 6 }),
    coins: fc.array(coin, { maxLength: 3 }),
    seen: results,
    answers: fc.constantFrom("run", "too_poor" as const, undefined),
  })
  .map(({ code, balance, seen, answers, ...run }): EvmNode => {
    const some = (count: number) => [...seen.take(count)];
    const shown = (views: number): Rehearsed => ({ ...run, before: some(views), after: some(views) });
    return {
      chainId: "1",
      head: async () => 500n,
      read: async (reads) => reads.map(({ of }) => (of === "code" ? code : balance)),
      call: async () => [],
      experiment: async () => some(1),
      follow: async () => undefined,
      rehearse: async ({ views }) => (answers === "run" ? shown(views.length) : answers),
      touched: async () => [token, stranger],
    };
  });

async function findingsOn(fields: object, node?: EvmNode) {
  const request = read({ chain_id: "1", from: me, ...fields });
  if (!request.ok) throw new Error(request.detail);
  const backend = node && { nodes: { find: () => node }, clock: new FakeClock() };
  const answered = await analyseEvmTransaction(request.value, labels, backend);
  if (!answered.ok) throw new Error(answered.detail);
  const { risk_details, overall_score } = answered.body.data.security;
  return { names: risk_details.map(({ name }) => name), score: overall_score };
}

/**
 * Findings that an execution replaces: whether an approval of 0 concerns a token or an item, and what an unlabelled
 * callee does.
 */
const ANSWERED: ReadonlySet<string> = new Set(["may_give_item", "unknown_callee"]);

test("no answer of a node removes a finding of the calldata or lowers its score", async () => {
  const transaction = fc
    .constantFrom(...attacks, ...ordinary)
    .map(({ name: _name, finds: _finds, ...fields }) => fields);
  await fc.assert(
    fc.asyncProperty(transaction, anyNode, async (fields, node) => {
      const [without, beside] = [await findingsOn(fields), await findingsOn(fields, node)];

      const lasting = without.names.filter((name) => !ANSWERED.has(name));
      expect(beside.names).toEqual(expect.arrayContaining(lasting));
      if (lasting.length === 0 && without.names.length > 0) expect(without.score).toBe(2);
      else expect(beside.score).toBeGreaterThanOrEqual(without.score);
    }),
  );
});
