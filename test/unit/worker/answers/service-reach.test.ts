import { describe, expect, test } from "vitest";
import type { ResponseOf } from "../../../../src/api/routes.ts";
import { findChain } from "../../../../src/chains/registry.ts";
import { emptyBook } from "../../../../src/labels/address-book.ts";
import { UnauthorizedError } from "../../../../src/worker/answers/service-errors.ts";
import {
  operationsLacking,
  planForReach,
  type ServiceReach,
  wholeInterface,
} from "../../../../src/worker/answers/service-reach.ts";
import { plan } from "../../../../src/worker/plan/plan.ts";
import { waiterOf } from "../../../../src/worker/rate-limit/queue/waiter.ts";
import { defaultPolicy, eventOf } from "../../../fakes/events.ts";
import { clean } from "../../../fakes/evidence.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { FakeSink, recordOf } from "../../../fakes/records.ts";
import { workerFor } from "../../../fakes/worker.ts";
import { pay } from "../../../fixtures/solana/vectors.ts";
import * as w from "../../../fixtures/solana/world.ts";
import { screenRecord } from "../../../support/screen-record.ts";

const address = "0x52908400098527886e0f7030069857d2e4169ee7";
const user = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const token = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const ofToken = { type: "address", chain_id: "1", address, token_address: token, user_addresses: [user] };
const sequence = {
  type: "transaction",
  chain_id: "solana",
  transaction: [1n, 2n, 3n].map((sum) => w.serialized([pay(sum)])),
};

const reachOf = (own: Partial<ServiceReach>): ServiceReach => ({ ...wholeInterface, ...own });
const planOf = (event: object) =>
  plan(eventOf(event as Readonly<Record<string, unknown>>), defaultPolicy.table, emptyBook);
const lacking = (operation: string) =>
  `the service has no operation ${operation}: SERVICE_DIALECT or SERVICE_ADAPTER leaves it out`;

async function verdictOn(event: object, reach: ServiceReach, service = new FakeService()) {
  const sink = new FakeSink();
  const worker = workerFor(service, { sink, reach, policyFor: () => defaultPolicy });
  worker.pool.expectMore(false);
  await screenRecord(recordOf(JSON.stringify(event), 1), worker);
  return { verdict: sink.verdicts[0], routes: service.requests.map(({ route }) => route) };
}

test("a plan stays unchanged with the whole interface, and where no operation is missing", () => {
  const planned = planOf(ofToken);
  expect(planForReach(planned, wholeInterface)).toBe(planned);
  expect(planForReach(planned, reachOf({ lacks: new Set(["solana-emulate"]) }))).toBe(planned);
  expect(operationsLacking(planned, wholeInterface)).toEqual(new Set());
});

describe("an operation that the service lacks", () => {
  const reach = reachOf({ lacks: new Set(["token-security", "solana-emulate"] as const) });

  test("a missing operation settles its check as failed and leaves the other questions", () => {
    const planned = planOf(ofToken);
    const { questions, settled, requiredChecks, subject, parties } = planForReach(planned, reach);

    expect(questions.map(({ check }) => check)).toEqual(["poisoning"]);
    expect(settled).toEqual([
      {
        check: "token-security",
        outcome: "failed",
        cached: false,
        attempts: 0,
        error: { code: "CHECK_UNSUPPORTED", detail: lacking("token-security") },
      },
    ]);
    expect([requiredChecks, subject, parties]).toEqual([planned.requiredChecks, planned.subject, planned.parties]);
    expect(operationsLacking(planned, reach)).toEqual(new Set(["token-security"]));
  });

  test("a missing simulation also settles the comparison of receivers", async () => {
    const event = { type: "transaction", chain_id: "solana", transaction: w.serialized([pay(5n)]) };
    expect(operationsLacking(planOf(event), reach)).toEqual(new Set(["solana-emulate"]));

    const { verdict, routes } = await verdictOn(event, reach);
    expect([verdict?.decision, routes]).toEqual(["UNKNOWN", []]);
    const why = { code: "CHECK_UNSUPPORTED", detail: lacking("solana-emulate") };
    expect(verdict?.checks.map(({ check, error }) => [check, error])).toEqual([
      ["poisoning", why],
      ["solana-simulation", why],
    ]);
    expect(verdict?.reasons.map(({ detail }) => detail)).toEqual([why.detail, why.detail]);
  });
});

test.each(
  Object.entries({
    poisoning: "address-poisoning",
    classification: "address-classify",
    "tron-security": "transaction-security",
    "evm-security": "evm-transaction-security",
  } as const),
)("%s needs the operation %s", (check, operation) => {
  const chain = findChain("1");
  const planned = { ...planOf(ofToken), questions: [{ check, chain } as never] };
  expect(operationsLacking(planned, reachOf({ lacks: new Set([operation]) }))).toEqual(new Set([operation]));
});

describe("more transactions than the service takes in a request", () => {
  test("too many transactions are refused by their number, and no question is sent", async () => {
    const { verdict, routes } = await verdictOn(sequence, reachOf({ maxTransactions: 2 }));

    expect([verdict?.decision, routes]).toEqual(["UNKNOWN", []]);
    const detail =
      "the service takes 2 transactions in a request, this event has 3: limits.transactions of SERVICE_DIALECT says so";
    expect(verdict?.checks.map(({ check, error }) => [check, error])).toEqual([
      ["poisoning", { code: "SUBJECT_UNSUPPORTED", detail }],
      ["solana-simulation", { code: "SUBJECT_UNSUPPORTED", detail }],
    ]);
  });

  test("as many transactions as the service takes are sent", () => {
    const planned = planOf(sequence);
    expect(planForReach(planned, reachOf({ maxTransactions: 3 }))).toBe(planned);
  });
});

test("an event with more users than a request holds takes several requests", async () => {
  const sizes: number[] = [];
  const service = new FakeService().on("poisoningBatch", (request) => {
    sizes.push(request.user_addresses.length);
    const items = (request.target_addresses ?? []).map((item) => ({ ...item, ...clean.target }));
    return {
      code: "0",
      status: "ok",
      data: { target_addresses: items, token_addresses: [] },
    } as ResponseOf<"poisoningBatch">;
  });
  const user_addresses = [user, token, `0x${"ab".repeat(20)}`, `0x${"cd".repeat(20)}`];
  const event = { type: "address", chain_id: "1", address, user_addresses };

  const { verdict } = await verdictOn(event, reachOf({ maxItems: 5 }), service);
  expect([verdict?.decision, sizes]).toEqual(["ALLOW", [3, 1]]);
});

test("the limit of items also limits the known addresses of an EVM transaction", () => {
  const question = { check: "evm-security", chain: findChain("1"), transaction: {}, users: [user, address, token] };
  const planned = { ...planOf(ofToken), questions: [question as never] };

  expect(planForReach(planned, reachOf({ maxItems: 3 }))).toBe(planned);
  expect(planForReach(planned, reachOf({ maxItems: 2 }))).toMatchObject({
    questions: [],
    settled: [
      {
        check: "evm-security",
        error: {
          code: "SUBJECT_UNSUPPORTED",
          detail:
            "the service takes 2 user addresses with a transaction, this one has 3: limits.items of SERVICE_DIALECT says so",
        },
      },
    ],
  });
});

test.each([
  [Number.POSITIVE_INFINITY, [2, 1]],
  [1, [1, 1, 1]],
])("with %s transactions per request three events take requests of %j", async (maxTransactions, expected) => {
  const sizes: number[] = [];
  const service = new FakeService().on("solanaEmulate", (request) => {
    sizes.push(request.sol_transactions.length);
    throw new UnauthorizedError("401");
  });
  const worker = workerFor(service, { reach: reachOf({ maxTransactions }), groupMax: 2 });
  const turn = waiterOf({ lane: "backfill", tenant: "" });
  const asker = { signal: new AbortController().signal, onSent: () => undefined, turn };
  const key = (i: number) => `${"1".repeat(31)}${"23456789A"[i]}`;
  const asked = [0, 1, 2].map((i) =>
    worker.simulations.ask({ transactions: [{ feePayer: key(i), instructions: [], encoding: "base64" }] }, asker),
  );

  await Promise.allSettled(asked);
  expect(sizes).toEqual(expected);
});
