import { describe, expect, test } from "vitest";
import { checkLine } from "../../../src/cli/check-line.ts";
import { checkOperations } from "../../../src/cli/check-operations.ts";
import { operationQuestions } from "../../../src/cli/operation-questions.ts";
import { type Operation, operationOf } from "../../../src/contract/operations.ts";
import { type Route, type RouteName, routes } from "../../../src/contract/routes.ts";
import type { SecurityService } from "../../../src/worker/ports.ts";
import {
  ChainUnsupportedError,
  RateLimitedError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from "../../../src/worker/service-errors.ts";
import { VirtualClock } from "../../fakes/virtual-clock.ts";

const never = new AbortController().signal;
const file = "vendor.yaml";

/** A service that answers, but for the routes that fail. */
function serviceOf(failing: Partial<Record<RouteName, Error>>) {
  const asked: RouteName[] = [];
  const service: SecurityService = {
    async ask(route) {
      asked.push(route);
      const error = failing[route];
      if (error !== undefined) throw error;
      return {} as never;
    },
  };
  return { service, asked };
}

async function linesOf(
  failing: Partial<Record<RouteName, Error>>,
  own: { file?: string; lacks?: ReadonlySet<Operation> } = {},
) {
  const { service, asked } = serviceOf(failing);
  const options = { lacks: own.lacks ?? new Set<Operation>(), file: own.file, gapMs: 0, clock: new VirtualClock() };
  const checks = await options.clock.runUntil(checkOperations(service, options, never));
  return { lines: checks.map(checkLine), asked };
}

test.each(Object.entries(operationQuestions))(
  "the question about %s is one of the interface",
  (operation, { route, request }) => {
    const { request: schema, selects }: Route = routes[route];
    expect(operationOf[route]).toBe(operation);
    expect(schema.safeParse(request).error).toBeUndefined();
    expect(selects?.(request) ?? true).toBe(true);
  },
);

test("every operation that is not left out is asked once, in its place", async () => {
  const lacks = new Set(["address-classify", "solana-emulate"] as const);
  const { lines, asked } = await linesOf({}, { file, lacks });

  expect(asked).toEqual(["tokenSecurity", "transactionSecurity", "evmTransactionSecurity"]);
  expect(lines).toEqual([
    "ok    operation solana-emulate  not asked: SERVICE_DIALECT leaves it out",
    "ok    operation token-security  answers a question",
    "ok    operation transaction-security  answers a question",
    "ok    operation evm-transaction-security  answers a question",
    "ok    operation address-classify  not asked: SERVICE_DIALECT leaves it out",
  ]);
});

test("questions are as far apart as the quota wants", async () => {
  const clock = new VirtualClock();
  const times: number[] = [];
  const start = clock.ticks();
  const service: SecurityService = {
    async ask() {
      times.push(clock.ticks() - start);
      return {} as never;
    },
  };
  await clock.runUntil(checkOperations(service, { lacks: new Set(), file, gapMs: 1_000, clock }, never));
  expect(times).toEqual([1_000, 2_000, 3_000, 4_000, 5_000]);
});

describe("an operation that fails is named, with what to do", () => {
  const lineOf = async (error: Error, own: { file?: string } = {}) =>
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
  ])("%s, where a file states it", async (error, line) => {
    expect(await lineOf(error, { file })).toBe(line);
  });

  test("without a file it is a warning: the service may lack what nobody asks", async () => {
    expect(await lineOf(new RejectedError("400"))).toBe(
      "warn  operation token-security  400  -> leave the operation out of operations in a file that SERVICE_DIALECT names",
    );
    expect(await lineOf(notFound)).toMatch(/^warn .* or correct paths\.token-security there$/);
    expect(await lineOf(new UnauthorizedError("403"))).toMatch(/^FAIL /);
  });

  test("the others are asked all the same", async () => {
    expect((await linesOf({ solanaEmulate: new RejectedError("400") }, { file })).asked).toHaveLength(5);
  });

  test("a bug is thrown", async () => {
    await expect(linesOf({ solanaEmulate: new Error("bug") })).rejects.toThrow("bug");
  });
});
