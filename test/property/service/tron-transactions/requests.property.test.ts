import fc from "fast-check";
import { expect, test } from "vitest";
import { FailureBody } from "../../../../src/api/failures.ts";
import { routes } from "../../../../src/api/routes.ts";
import { TransactionSecurityResponse } from "../../../../src/api/schemas/transaction-security.ts";
import { contractTypeIds } from "../../../../src/chains/tron/message/contract-types.ts";
import { parseExact } from "../../../../src/kernel/json.ts";
import { send, service } from "../../../support/service.ts";
import { tronVectors } from "../../../support/tron-vectors.ts";

const app = service();
const numRuns = Number(process.env["FC_RUNS"] ?? 400);

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    "",
    "0x",
    "0x1",
    "-1",
    "1e3",
    "T",
    "9223372036854775808",
    "41",
    "null",
    "__proto__",
    "\u0000",
    "\ud800",
  ),
  fc.constantFrom("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "41a614f803b6fd780986a42c78ec9c7f77e6ded13c"),
  fc.bigInt(-(2n ** 70n), 2n ** 70n).map((value) => parseExact(String(value))),
  fc.string({ unit: fc.constantFrom(..."0123456789abcdefABCDEF"), maxLength: 300 }),
);

type Path = readonly string[];

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...at, key]))];
}

function replaced(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  const copy: object = Array.isArray(value) ? [...value] : { ...(value as object) };
  Reflect.set(copy, step, replaced(Reflect.get(copy, step), rest, by));
  return copy;
}

const spoilt = fc
  .constantFrom(...tronVectors.map(({ transaction }) => transaction))
  .chain((transaction) => fc.tuple(fc.constant(transaction), fc.constantFrom(...pathsOf(transaction)), junk))
  .map(([transaction, path, by]) => replaced(transaction, path, by));

const retyped = fc
  .tuple(fc.constantFrom(...tronVectors), fc.constantFrom(...Object.keys(contractTypeIds)))
  .map(([{ transaction }, type]) => replaced(transaction, ["raw_data", "contract", "0", "type"], type));

async function answersPrecisely(transaction: unknown) {
  const body = JSON.stringify({ tron_transactions: [transaction] });
  const { http, body: answered } = await send(app, { url: routes.transactionSecurity.path, body });
  if (http === 200) expect(TransactionSecurityResponse.safeParse(answered).success).toBe(true);
  else {
    expect([400, 422]).toContain(http);
    const failure = FailureBody.parse(answered);
    expect(failure.code).toBe("-1");
    expect(failure.detail?.length).toBeGreaterThan(5);
  }
}

test("a transaction with one part replaced by junk is analysed or refused precisely, never a 5xx", async () => {
  await fc.assert(fc.asyncProperty(spoilt, answersPrecisely), { numRuns });
});

test("a transaction with the payload of another type is analysed or refused precisely, never a 5xx", async () => {
  await fc.assert(fc.asyncProperty(retyped, answersPrecisely), { numRuns });
});

test("a junk request is analysed or refused precisely, never a 5xx", async () => {
  await fc.assert(fc.asyncProperty(junk, answersPrecisely), { numRuns });
});
