import { lookup } from "node:dns";
import { describe, expect, onTestFinished, test } from "vitest";
import { ServiceClient } from "../../../../src/adapters/http/service/service-client.ts";
import { readAdapter, type VendorResponse } from "../../../../src/adapters/service-adapter/adapter.ts";
import { AdapterTranslation, isAdapterFault } from "../../../../src/adapters/service-adapter/translation.ts";
import type { RouteName, SentTo } from "../../../../src/api/routes.ts";
import { Secret } from "../../../../src/kernel/secret.ts";
import { isUnsent } from "../../../../src/worker/answers/service-errors.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { answering, listen, type Received, sendJson } from "../../../support/http-server.ts";

const KEY = "hunter2-hunter2";
const NOW = Date.UTC(2026, 10, 21, 12);
const never = new AbortController().signal;
const A = "0xd9a1c3788d81257612e2581a6ea0ada244853a91";
const U = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const T = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const asked = { chain_id: "1", address: A };
const clean = { address: A, is_poisoning: false, mimics_user: false, mimics_exchange: false };
const item = (address: string) => ({ chain_id: "1", address });

type Answer = (response: VendorResponse, question: unknown) => unknown;
interface Own {
  readonly request?: (question: never, context: never) => unknown;
  readonly answer?: Answer;
  readonly operations?: object;
  readonly refusal?: unknown;
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: object;
}

/** A client of a service with this answer, with an adapter of these functions. */
async function clientOf({ request, answer, operations, refusal, status = 200, body = {}, headers }: Own) {
  const received: Received[] = [];
  const statuses: number[] = [];
  const url = await listen(answering((_request, response) => sendJson(response, status, body, headers), received));
  const read = readAdapter({
    schema: "weir.adapter/1",
    name: "vendor",
    operations: {
      "address-poisoning": { request: request ?? (() => ({ path: "/risk" })), answer: answer ?? (() => clean) },
      ...operations,
    },
    ...(refusal === undefined ? {} : { refusal }),
  });
  if (!read.ok) throw new Error(read.detail);
  const client = new ServiceClient({
    baseUrl: url,
    apiKey: () => new Secret(KEY),
    clock: new FakeClock(NOW),
    lookup,
    concurrency: 4,
    timeoutMs: 5_000,
    onAnswer: (each) => statuses.push(each),
    translation: new AdapterTranslation(read.value, url, new FakeClock(NOW)),
  });
  onTestFinished(() => client.close());
  return { client, received, statuses };
}

/** The result of one question. */
async function askOf<N extends RouteName>(own: Own, route: N, request: SentTo<N>) {
  const { client, received, statuses } = await clientOf(own);
  const told = await client.ask(route, request, never).catch((thrown: unknown) => thrown as Error);
  return { told: told as never, received, statuses };
}
const single = (own: Own) => askOf(own, "poisoningSingle", { ...asked, user_address: U });

describe("a question about one address", () => {
  test("is one request, with the key and the query of the adapter", async () => {
    const seen: unknown[] = [];
    const request = (question: object, { key }: { key: string }) => {
      seen.push(question);
      return { path: "/risk/1", query: { of: "x" }, headers: { authorization: `Bearer ${key}` } };
    };
    const { received, statuses } = await askOf({ request: request as never }, "poisoningSingle", {
      ...asked,
      user_address: U,
      token_address: T,
    });

    expect(seen).toEqual([{ chain: "1", address: A, users: [U], token: T }]);
    expect(received).toMatchObject([
      { method: "GET", url: "/risk/1?of=x", headers: { authorization: `Bearer ${KEY}` } },
    ]);
    expect(received[0]?.headers).not.toHaveProperty("x-api-key");
    expect(statuses).toEqual([200]);
  });

  test("is answered in the form of the interface", async () => {
    const answer = { ...clean, is_poisoning: true, matched_address: U, matched_name: "a label" };
    expect((await single({ answer: () => answer })).told).toEqual({
      code: "0",
      status: "ok",
      data: {
        target_address: {
          ...{ is_poisoning: "1", mimics_user: "0", mimics_exchange: "0" },
          ...{ matched_address: U, matched_name: "a label" },
        },
        token_address: {},
        target_address_input: A,
        user_address_input: U,
        token_address_input: "",
      },
    });
  });

  test("names the missing and unknown fields of the adapter", async () => {
    const of = async (answer: object, request: SentTo<"poisoningSingle"> = { ...asked, user_address: U }) =>
      (await askOf({ answer: () => answer }, "poisoningSingle", request)).told;
    expect(await of({ address: A })).toMatchObject({
      data: { target_address: { is_poisoning: "0", unknown: ["is_poisoning", "mimics_user", "mimics_exchange"] } },
    });
    expect(await of({ ...clean, mimics_user: null })).toMatchObject({
      data: { target_address: { mimics_user: "0", unknown: ["mimics_user"] } },
    });
    const withoutUsers = await of({ ...clean, mimics_user: undefined }, asked);
    expect(withoutUsers).toMatchObject({ data: { target_address: { mimics_user: "0" }, user_address_input: "" } });
    expect(withoutUsers).not.toHaveProperty("data.target_address.unknown");
    expect(await of(clean, { ...asked, token_address: T })).toMatchObject({
      data: {
        token_address: { is_poisoning: "0", unknown: ["is_poisoning", "mimics_top_token"] },
        token_address_input: T,
      },
    });
    const token = { address: T, is_poisoning: true, mimics_top_token: false, matched_token: "USDT" };
    expect(await of({ ...clean, token }, { ...asked, token_address: T })).toMatchObject({
      data: { token_address: { is_poisoning: "1", mimics_top_token: "0", matched_token: "USDT" } },
    });
  });

  test.each([
    [{ ...clean, is_poisoning: "0" }, "at is_poisoning: must be a boolean"],
    [{ ...clean, is_poisoning: 0 }, "at is_poisoning: must be a boolean"],
    [{ ...clean, address: undefined }, "at address: is missing"],
    [{ ...clean, is_poisonous: true }, "at its root: unknown field is_poisonous"],
    [undefined, "at its root: is missing"],
    [[clean], "at its root: must be an object"],
  ])("%j is an invalid answer: %s", async (answer, detail) => {
    expect((await single({ answer: () => answer })).told).toMatchObject({
      code: "ANSWER_INVALID",
      message: `the adapter vendor answers address-poisoning as it must not, ${detail}`,
    });
  });
});

describe("a batch", () => {
  const request = { user_addresses: [item(U)], target_addresses: [item(A)], token_addresses: [item(T)] };

  test("of one target is the question about that target where the adapter has no batches", async () => {
    const seen: unknown[] = [];
    const answer = (_response: unknown, question: unknown) => {
      seen.push(question);
      return { ...clean, token: { address: T, is_poisoning: false, mimics_top_token: false } };
    };
    expect((await askOf({ answer }, "poisoningBatch", request)).told).toEqual({
      code: "0",
      status: "ok",
      data: {
        target_addresses: [{ ...item(A), is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" }],
        token_addresses: [{ ...item(T), is_poisoning: "0", mimics_top_token: "0", matched_token: "" }],
      },
    });
    expect(seen).toEqual([{ chain: "1", address: A, users: [U], token: T }]);
  });

  test("of several targets is refused there, and nothing is sent", async () => {
    const several = { ...request, target_addresses: [item(A), item(T)] };
    const { told, received } = await askOf({}, "poisoningBatch", several);
    expect(told).toMatchObject({
      code: "REJECTED",
      message: "the adapter takes one address a request: it has no operation address-poisoning-batch",
    });
    expect(received).toEqual([]);
  });

  test("is passed whole to an adapter with batches, and items stay in order", async () => {
    const { address: _address, ...flags } = clean;
    const targets = [
      { chain: "1", address: A, ...flags, mimics_exchange: null },
      { chain: "1", address: T, error: "never seen" },
    ];
    const operations = { "address-poisoning-batch": { request: () => ({ path: "/" }), answer: () => ({ targets }) } };
    const { told } = await askOf({ operations }, "poisoningBatch", request);
    expect(told).toMatchObject({
      data: {
        target_addresses: [
          { ...item(A), is_poisoning: "0", unknown: ["mimics_exchange"] },
          { ...item(T), error: { code: "unknown", detail: "never seen" } },
        ],
        token_addresses: [],
      },
    });
  });
});

describe("a failure", () => {
  test.each([
    ["unknown", "ITEM_FAILED"],
    ["rejected", "REJECTED"],
    ["chain_unsupported", "CHAIN_UNSUPPORTED"],
    ["unauthorized", "UNAUTHORIZED"],
    ["unavailable", "UNAVAILABLE"],
  ])("%s in an answer of 200 is %s", async (failure, code) => {
    const answer = () => ({ failure, detail: `no: ${KEY}\nx` });
    expect((await single({ answer })).told).toMatchObject({
      code,
      message: `the adapter vendor says ${failure}: no: [key] x`,
    });
  });

  test.each([
    ["unknown", "ITEM_FAILED"],
    ["rejected", "REJECTED"],
    ["chain_unsupported", "CHAIN_UNSUPPORTED"],
  ])("%s in request sends nothing, and is marked as unsent", async (failure, code) => {
    const { told, received, statuses } = await single({ request: () => ({ failure, detail: "no" }) });
    expect(told).toMatchObject({ code, message: `the adapter vendor says ${failure}: no` });
    expect([isUnsent(told), isAdapterFault(told), received, statuses]).toEqual([true, false, [], []]);
    expect(isUnsent((await single({ answer: () => ({ failure }) })).told)).toBe(false);
  });

  test.each(["unauthorized", "rate_limited", "unavailable"])(
    "%s in request is a fault of the adapter, since only the service reports it",
    async (failure) => {
      const { told, received } = await single({ request: () => ({ failure }) });
      expect(told).toMatchObject({
        code: "REJECTED",
        message:
          "the adapter vendor refuses address-poisoning as it must not: failure: must be one of unknown, rejected, chain_unsupported",
      });
      expect([isUnsent(told), isAdapterFault(told), received]).toEqual([true, true, []]);
    },
  );

  test("an invalid request, and an unsupported batch of several, are marked as unsent", async () => {
    const faults = await Promise.all([
      single({ request: () => ({ path: "risk" }) }),
      single({
        request: () => {
          throw new Error("no");
        },
      }),
      askOf({}, "poisoningBatch", { user_addresses: [item(U)], target_addresses: [item(A), item(T)] }),
    ]);
    expect(faults.map(({ told, received }) => [isUnsent(told), received])).toEqual(Array(3).fill([true, []]));
  });

  test("a limit may have a wait", async () => {
    const answer = () => ({ failure: "rate_limited", retry_after_ms: 3_000 });
    expect((await single({ answer })).told).toMatchObject({ code: "RATE_LIMITED", retryAfterMs: 3_000 });
  });

  test.each([
    [{ failure: "broken" }, "failure: must be one of unknown, rejected"],
    [{ failure: "toString" }, "failure: must be one of unknown, rejected"],
    [{ failure: "unknown", detail: 7 }, "detail: must be a text"],
    [{ failure: "unknown", message: "x" }, "message: is unknown; known are failure, detail, retry_after_ms"],
    [{ failure: "rate_limited", retry_after_ms: -1 }, "retry_after_ms: must be a number of milliseconds"],
  ])("%j is no failure, and a fault of the adapter", async (failure, detail) => {
    const { told } = await single({ answer: () => failure });
    expect(told).toMatchObject({ code: "ANSWER_INVALID", message: expect.stringContaining(detail) });
    expect(isAdapterFault(told)).toBe(true);
  });

  test("an exception in answer is ANSWER_INVALID, one in request sends nothing, and neither shows the key", async () => {
    const thrower = () => {
      throw new TypeError(`cannot read ${KEY}`);
    };
    expect((await single({ answer: thrower })).told).toMatchObject({
      code: "ANSWER_INVALID",
      message: "the adapter vendor threw in answer of address-poisoning: cannot read [key]",
    });
    const { told, received, statuses } = await single({ request: thrower });
    expect(told).toMatchObject({
      code: "REJECTED",
      message: "the adapter vendor threw in request of address-poisoning: cannot read [key]",
    });
    expect([received, statuses]).toEqual([[], []]);
  });

  test("a promise is no answer", async () => {
    expect((await single({ answer: async () => clean })).told).toMatchObject({
      code: "ANSWER_INVALID",
      message: expect.stringContaining("it returned a promise"),
    });
    expect((await single({ request: async () => Promise.reject(new Error("x")) })).told).toMatchObject({
      message: expect.stringContaining("it returned a promise"),
    });
  });

  test("an operation that the adapter lacks is a bug of the caller, and nothing is sent", async () => {
    const { told, received } = await askOf({}, "tokenSecurity", { chainId: "1", address: T });
    expect(told).toEqual(new Error("the adapter vendor has no operation token-security"));
    expect(received).toEqual([]);
  });

  test("a request may be a failure, and an invalid request is reported", async () => {
    const { told, received } = await single({ request: () => ({ failure: "chain_unsupported" }) });
    expect(told).toMatchObject({ code: "CHAIN_UNSUPPORTED" });
    expect(received).toEqual([]);
    expect((await single({ request: () => ({ path: "/../admin" }) })).told).toMatchObject({
      code: "REJECTED",
      message: "the adapter vendor makes no request for address-poisoning: path: must not hold . or ..",
    });
  });
});

describe("a refusal", () => {
  const says = () => ({ failure: "unknown", detail: "never seen" });

  test.each([
    [429, "RATE_LIMITED"],
    [401, "UNAUTHORIZED"],
    [403, "UNAUTHORIZED"],
    [408, "UNAVAILABLE"],
    [500, "UNAVAILABLE"],
    [503, "UNAVAILABLE"],
    [302, "UNAVAILABLE"],
    [404, "ITEM_FAILED"],
    [402, "ITEM_FAILED"],
  ])("with the status %i is %s, whatever the adapter's answer function returns", async (status, code) => {
    expect((await single({ status, refusal: says, body: clean })).told).toMatchObject({ code });
  });

  test.each([
    [400, "REJECTED"],
    [404, "UNAVAILABLE"],
    [429, "RATE_LIMITED"],
  ])("with the status %i is %s where the adapter returns nothing for it", async (status, code) => {
    expect((await single({ status, refusal: () => undefined })).told).toMatchObject({ code });
    expect((await single({ status })).told).toMatchObject({ code });
  });

  test("is passed with its status, headers and body", async () => {
    const seen: unknown[] = [];
    const refusal = (...told: unknown[]) => void seen.push(...told);
    await single({ status: 404, body: { error: "x" }, headers: { "X-Why": "y" }, refusal });
    expect(seen).toMatchObject([{ status: 404, body: { error: "x" }, headers: { "x-why": "y" } }, "address-poisoning"]);
  });

  test("is never an answer: that is a fault of the adapter", async () => {
    const { told } = await single({ status: 404, refusal: () => clean });
    expect(told).toMatchObject({ code: "ANSWER_INVALID", message: expect.stringContaining("a refusal is no answer") });
    expect(isAdapterFault(told)).toBe(true);
  });

  test("has the wait of its headers", async () => {
    expect((await single({ status: 429, headers: { "retry-after": "7" } })).told).toMatchObject({
      retryAfterMs: 7_000,
    });
  });
});

describe("the other operations", () => {
  const of = (operation: string, answer: unknown) => ({
    operations: { [operation]: { request: () => ({ path: "/" }), answer: () => answer } },
  });

  test("a token: missing fields are named, and the answer has the adapter's name", async () => {
    const token = of("token-security", {
      address: T,
      overall_risk_level: "low",
      security_risks: { is_honeypot: true, hidden_owner: false },
      trade_analysis: { sell_tax: 1.5 },
    });
    const { told } = await askOf(token, "tokenSecurity", { chainId: "1", address: T });
    expect(told).toMatchObject({
      data: {
        address: `1:${T}`,
        overall_risk_level: "low",
        overall_score: "",
        security_risks: { is_honeypot: "1", hidden_owner: "0", self_destruct: "0" },
        trade_analysis: { sell_tax: "1.5", transfer_tax: "" },
        scanned_time: NOW / 1_000,
        adapter: "vendor",
      },
    });
    const { unknown } = (told as { data: { unknown: readonly string[] } }).data;
    expect(unknown).toContain("security_risks.self_destruct");
    expect(unknown).toContain("privileges.dev_malicious");
    expect(unknown).not.toContain("security_risks.hidden_owner");
    expect(unknown).not.toContain("trade_analysis.sell_tax");
  });

  test("a running analysis is polled again", async () => {
    const { told } = await askOf(of("token-security", { poll_after: 3 }), "tokenSecurity", {
      chainId: "1",
      address: T,
    });
    expect(told).toEqual({ code: "0", status: "in progress", pollAfter: 3 });
    const wrong = await askOf(of("token-security", { poll_after: "3" }), "tokenSecurity", { chainId: "1", address: T });
    expect(wrong.told).toMatchObject({ code: "ANSWER_INVALID", message: expect.stringContaining("at poll_after") });
  });

  test("a class, and no class where the service has none", async () => {
    const known = await askOf(of("address-classify", { address: A, classification: "EOA" }), "classifyQuery", asked);
    expect(known.told).toMatchObject({ data: { address: `1:${A}`, classification: "EOA", is_erc20: "0" } });
    expect(known.told).not.toHaveProperty("data.unknown");
    const none = await askOf(of("address-classify", { address: A }), "classifyQuery", asked);
    expect(none.told).toMatchObject({ data: { classification: "", unknown: ["classification"] } });
  });

  test.each([
    ["ALLOW", 0],
    ["WARN", 2],
    ["BLOCK", 4],
  ])("a transaction with the action %s", async (action, score) => {
    const answer = { action, level: 87, findings: [{ name: "drain", description: "d" }], not_analysed: ["x"] };
    const evm = { chain_id: "1", from: U, to: A };
    const { told } = await askOf(of("evm-transaction-security", answer), "evmTransactionSecurity", evm);
    expect(told).toMatchObject({
      data: {
        security: {
          overall_score: score,
          overall_risk_level: "87",
          recommended_action: action,
          risk_details: [{ name: "drain", description: "d" }],
          not_analysed: ["x"],
        },
      },
    });
  });

  test("a transaction without an action gets no verdict", async () => {
    const tron = { tron_transactions: [{ raw_data: { contract: [{ type: "T", parameter: { value: {} } }] } }] };
    const request = tron as unknown as SentTo<"transactionSecurity">;
    expect(
      (await askOf(of("transaction-security", { findings: [] }), "transactionSecurity", request)).told,
    ).toMatchObject({
      code: "ITEM_FAILED",
      message: expect.stringContaining("gives no action"),
    });
  });

  test("a simulation is checked by the schema of the interface", async () => {
    const request = { sol_transactions: [] } as unknown as SentTo<"solanaEmulate">;
    const told = await askOf(of("solana-emulate", { results: [] }), "solanaEmulate", request);
    expect(told.told).toMatchObject({
      code: "ANSWER_INVALID",
      message: expect.stringContaining("at data.exec_summary"),
    });
  });
});
