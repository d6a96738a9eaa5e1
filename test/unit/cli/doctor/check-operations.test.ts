import { beforeAll, describe, expect, test } from "vitest";
import { operationOf, type ServiceOperation } from "../../../../src/api/operations.ts";
import { type ResponseOf, type RouteName, routes, type SentTo } from "../../../../src/api/routes.ts";
import { checkLine } from "../../../../src/cli/doctor/check-line.ts";
import { checkOperations, type StatingFile } from "../../../../src/cli/doctor/check-operations.ts";
import { lookalikeQuestion } from "../../../../src/cli/doctor/operation-questions.ts";
import { openPolicy } from "../../../../src/cli/wiring/open-policy.ts";
import type { PolicyTable } from "../../../../src/policy/policy.ts";
import {
  ChainUnsupportedError,
  ItemFailedError,
  RateLimitedError,
  RejectedError,
  UNSENT,
  UnauthorizedError,
  UnavailableError,
} from "../../../../src/worker/answers/service-errors.ts";
import type { SecurityService } from "../../../../src/worker/ports.ts";
import { clean } from "../../../fakes/evidence.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";

const never = new AbortController().signal;
const file: StatingFile = { setting: "SERVICE_DIALECT", name: "vendor.yaml" };
let table: PolicyTable;
beforeAll(async () => {
  table = (await openPolicy()).choice(undefined).table;
});

const success = (data: unknown) => ({ code: "0", status: "ok", data });
/** Clean answers to the questions of the doctor. */
const answers: Partial<Record<RouteName, (request: never) => unknown>> = {
  poisoningBatch: ({ target_addresses: targets }: SentTo<"poisoningBatch">) =>
    success({
      target_addresses: targets?.map((each) => ({
        ...each,
        ...clean.target,
        ...(each.address === lookalikeQuestion["address"] ? { is_poisoning: "1", mimics_user: "1" } : {}),
      })),
      token_addresses: [],
    }),
  tokenSecurity: () => success(clean.tokenSecurity),
  classifyQuery: ({ address }: SentTo<"classifyQuery">) =>
    success({ ...clean.classification, address: `eth:${address}` }),
  transactionSecurity: () => success(clean.tron),
  evmTransactionSecurity: () => success(clean.tron),
  solanaEmulate: ({ sol_transactions: [sent] }: SentTo<"solanaEmulate">) => {
    const who = (sent as { feePayer: string }).feePayer;
    const result = {
      ...{ from: who, to: "11111111111111111111111111111111", compute_units_consumed: 150, called_addresses: [] },
      ...{ involved_addresses: [who], involved_addresses_risks: [{ address: who, risk_level: 0 }] },
      ...{ balance_changes: [], error: null, name: "0", block_height: 1, request_id: "1" },
    };
    return success({ exec_summary: clean.solana.exec_summary, results: [result] });
  },
};

/** A service with clean answers, except for routes that fail or have their own answer. */
function serviceOf(own: Partial<Record<RouteName, Error | object>>) {
  const asked: RouteName[] = [];
  const service: SecurityService = {
    async ask<N extends RouteName>(route: N, request: SentTo<N>): Promise<ResponseOf<N>> {
      asked.push(route);
      expect(routes[route].request.safeParse(request).error).toBeUndefined();
      const told = own[route];
      if (told instanceof Error) throw told;
      return (told ?? answers[route]?.(request as never)) as ResponseOf<N>;
    },
  };
  return { service, asked };
}

async function linesOf(
  failing: Partial<Record<RouteName, Error | object>>,
  own: { file?: StatingFile; lacks?: ReadonlySet<ServiceOperation> } = {},
) {
  const { service, asked } = serviceOf(failing);
  const options = {
    lacks: own.lacks ?? new Set<ServiceOperation>(),
    file: own.file,
    gapMs: 0,
    clock: new VirtualClock(),
  };
  const checks = await options.clock.runUntil(checkOperations({ service, table }, options, never));
  return { lines: checks.map(checkLine), asked };
}

test("every operation gets one question in order, except for missing ones", async () => {
  const lacks = new Set(["address-classify", "solana-emulate"] as const);
  const { lines, asked } = await linesOf({}, { file, lacks });

  // By POST, and with a user, as for most events.
  expect(asked).toEqual([
    "tokenSecurity",
    "transactionSecurity",
    "evmTransactionSecurity",
    "poisoningBatch",
    "poisoningBatch",
  ]);
  expect(asked.map((route) => operationOf[route]).every((operation) => !lacks.has(operation as never))).toBe(true);
  expect(lines).toEqual([
    "ok    operation solana-emulate  not asked: SERVICE_DIALECT leaves it out",
    "ok    operation token-security  answers a question: ALLOW",
    "ok    operation transaction-security  answers a question: ALLOW",
    "ok    operation evm-transaction-security  answers a question: ALLOW",
    "ok    operation address-poisoning  answers a question: ALLOW",
    "ok    lookalikes  flags an imitation of a known address",
    "ok    operation address-classify  not asked: SERVICE_DIALECT leaves it out",
  ]);
});

test("a service that does not flag an imitation of a known address is a warning", async () => {
  const { lines } = await linesOf({
    poisoningBatch: success({ target_addresses: [], token_addresses: [] }),
  });
  const { service } = serviceOf({});
  const blind: SecurityService = {
    ask: async (route, request, signal) => {
      if (route !== "poisoningBatch") return service.ask(route, request, signal);
      const { target_addresses: targets = [] } = request as SentTo<"poisoningBatch">;
      const answered = targets.map((each) => ({ ...each, ...clean.target }));
      return success({ target_addresses: answered, token_addresses: [] }) as never;
    },
  };
  const options = { lacks: new Set<ServiceOperation>(), file, gapMs: 0, clock: new VirtualClock() };
  const checks = await options.clock.runUntil(checkOperations({ service: blind, table }, options, never));

  expect(checks.map(checkLine).filter((line) => line.includes("lookalikes"))).toEqual([
    expect.stringMatching(/^warn {2}lookalikes {2}does not flag an address that has ten characters at each end/),
  ]);
  // When the operation itself fails, it gets no further question.
  expect(lines.filter((line) => line.includes("lookalikes"))).toEqual([]);
});

test("an operation that the adapter lacks is reported as the adapter's choice", async () => {
  const adapter: StatingFile = { setting: "SERVICE_ADAPTER", name: "my.mjs" };
  const notFound = new UnavailableError("the service answered 404: is SERVICE_URL its base?", { status: 404 });
  const lacks = new Set(["solana-emulate"] as const);
  const { lines } = await linesOf({ tokenSecurity: notFound }, { file: adapter, lacks });
  expect(lines.slice(0, 2)).toEqual([
    "ok    operation solana-emulate  not asked: SERVICE_ADAPTER leaves it out",
    "FAIL  operation token-security  the service answered 404  -> leave the operation out of operations in my.mjs, or correct the path in its request there",
  ]);
});

describe("the result for the worker", () => {
  const lineOn = async (route: RouteName, told: Error | object) => {
    const { lines } = await linesOf({ [route]: told }, { file });
    return lines.find((line) => line.includes(`operation ${operationOf[route]} `));
  };

  test("is a failure for an invalid answer", async () => {
    const flagless = success({
      target_addresses: [{ chain_id: "1", address: "0x1", ...clean.target }],
      token_addresses: [],
    });
    expect(await lineOn("poisoningBatch", flagless)).toMatch(/^FAIL .*the answer holds items that were not asked/);
    const another = success({ ...clean.tokenSecurity, address: `eth:0x${"1".repeat(40)}` });
    expect(await lineOn("tokenSecurity", another)).toMatch(/^FAIL .*about another address than was asked/);
  });

  test("is a warning for a level without a meaning, with its name", async () => {
    const level = success({ ...clean.tokenSecurity, overall_risk_level: "so-so" });
    expect(await lineOn("tokenSecurity", level)).toMatch(
      /^warn {2}operation token-security {2}answers a question, which is UNKNOWN: level_unknown: .*so-so/,
    );
  });

  test("is a warning for a service that flags an address that imitates none", async () => {
    const flagged = ({ target_addresses: targets }: SentTo<"poisoningBatch">) =>
      success({
        target_addresses: targets?.map((each) => ({
          ...each,
          is_poisoning: "1",
          mimics_user: "1",
          mimics_exchange: "1",
        })),
        token_addresses: [],
      });
    const { service } = serviceOf({});
    const all: SecurityService = {
      ask: (route, request, signal) =>
        route === "poisoningBatch"
          ? Promise.resolve(flagged(request as SentTo<"poisoningBatch">) as never)
          : service.ask(route, request, signal),
    };
    const options = { lacks: new Set<ServiceOperation>(), file, gapMs: 0, clock: new VirtualClock() };
    const checks = await options.clock.runUntil(checkOperations({ service: all, table }, options, never));
    expect(checks.map(checkLine).find((line) => line.includes("address-poisoning"))).toMatch(
      /^warn .*answers a question with BLOCK: .* {2}-> the address has no key and imitates none: check whether the service flags every address$/,
    );
  });

  test("is an answer for an unknown item, and none for a refusal by the adapter", async () => {
    expect(await lineOn("tokenSecurity", new ItemFailedError("never seen"))).toBe(
      "warn  operation token-security  answers a question, and knows nothing of what it is about: never seen  -> see that it knows another: a wrong path may answer the same",
    );
    expect(await lineOn("tokenSecurity", new ChainUnsupportedError("no such chain", UNSENT))).toMatch(
      /^warn {2}operation token-security {2}no such chain {2}-> nothing was sent/,
    );
  });
});

test("questions are spaced by the quota", async () => {
  const clock = new VirtualClock();
  const times: number[] = [];
  const start = clock.ticks();
  const service: SecurityService = {
    async ask() {
      times.push(clock.ticks() - start);
      throw new ItemFailedError("never seen");
    },
  };
  await clock.runUntil(checkOperations({ service, table }, { lacks: new Set(), file, gapMs: 1_000, clock }, never));
  expect(times).toEqual([1_000, 2_000, 3_000, 4_000, 5_000, 6_000]);
});

describe("a failed operation is named with the remedy", () => {
  const lineOf = async (error: Error, own: { file?: StatingFile } = {}) =>
    (await linesOf({ tokenSecurity: error }, own)).lines[1];
  const notFound = new UnavailableError("the service answered 404: is SERVICE_URL its base, without /v2/svc?", {
    status: 404,
  });

  test.each([
    [
      notFound,
      "FAIL  operation token-security  the service answered 404  -> leave the operation out of operations in vendor.yaml, or correct paths.token-security there",
    ],
    [
      new RejectedError("the service answered 400"),
      "FAIL  operation token-security  the service answered 400  -> leave the operation out of operations in vendor.yaml",
    ],
    [
      new UnauthorizedError("the service answered 403"),
      "FAIL  operation token-security  the service answered 403  -> see that the key may use the operation, or leave the operation out of operations in vendor.yaml",
    ],
    [
      new RateLimitedError("the service answered 429"),
      "warn  operation token-security  the service answered 429  -> set SERVICE_QUOTA, or try again later",
    ],
    [
      new ChainUnsupportedError("unsupported chainId: 1"),
      "warn  operation token-security  unsupported chainId: 1  -> see that the service has a backend for that chain, or leave the operation out of operations in vendor.yaml",
    ],
  ])("%s, where a file declares it", async (error, line) => {
    expect(await lineOf(error, { file })).toBe(line);
  });

  test("is a warning without a file, since the service may lack unused operations", async () => {
    expect(await lineOf(new RejectedError("400"))).toBe(
      "warn  operation token-security  400  -> leave the operation out of operations in a file that SERVICE_DIALECT names",
    );
    expect(await lineOf(notFound)).toMatch(/^warn .* or correct paths\.token-security there$/);
    expect(await lineOf(new UnauthorizedError("403"))).toMatch(/^FAIL /);
  });

  test("does not stop the other operations", async () => {
    expect((await linesOf({ solanaEmulate: new RejectedError("400") }, { file })).asked).toHaveLength(7);
  });

  test("a bug is thrown", async () => {
    await expect(linesOf({ solanaEmulate: new Error("bug") })).rejects.toThrow("bug");
  });
});
