import { expect, test } from "vitest";
import { dialectOf, interfaceDialect } from "../../../src/adapters/http/dialect.ts";
import { readDialect } from "../../../src/cli/dialect-file.ts";
import { routes } from "../../../src/contract/routes.ts";

const schema = "weir.dialect/1";
const names = Object.keys(routes) as (keyof typeof routes)[];

test("without a file every request is that of the interface", () => {
  expect(names.map(interfaceDialect.pathOf)).toEqual(names.map((name) => routes[name].path));
  expect(interfaceDialect.headersWith("k")).toEqual({ "X-API-KEY": "k" });
});

test("a file names the header of the key, further headers, paths and operations", () => {
  const read = readDialect({
    schema,
    auth: { header: "Authorization", scheme: "Bearer" },
    headers: { "X-Client": "exchange-a" },
    paths: { "address-poisoning": "/v1/poisoning", "token-security": "/v1/tokens/security" },
    operations: ["address-poisoning", "token-security"],
    levels: { low: "INFO", "trust:low": "WARN" },
    taxes: "percent",
  });
  if (!read.ok) throw new Error(read.detail);
  const { headersWith, pathOf } = dialectOf(read.value);

  expect(headersWith("k")).toEqual({ "X-Client": "exchange-a", Authorization: "Bearer k" });
  expect(Object.fromEntries(names.map((name) => [name, pathOf(name)]))).toEqual({
    solanaEmulate: undefined,
    tokenSecurity: "/v1/tokens/security",
    transactionSecurity: undefined,
    evmTransactionSecurity: undefined,
    poisoningBatch: "/v1/poisoning",
    poisoningSingle: "/v1/poisoning",
    poisoningQuery: "/v1/poisoning",
    classifyQuery: undefined,
    classifyBody: undefined,
  });
});

test("a scheme alone stands in front of the key in its own header", () => {
  const read = readDialect({ schema, auth: { scheme: "Token" } });
  expect(read.ok && dialectOf(read.value).headersWith("k")).toEqual({ "X-API-KEY": "Token k" });
});

test.each<[unknown, string]>([
  [null, "the file: must be an object"],
  [{}, "schema: must be weir.dialect/1"],
  [{ schema, auth: { header: "a b" } }, "auth.header: must be the name of a header"],
  [{ schema, auth: { header: "Host" } }, "auth.header: is a header that the client writes itself"],
  [{ schema, auth: { scheme: "two words" } }, "auth.scheme: must be one word"],
  [{ schema, auth: { key: "secret" } }, "auth: unknown field key"],
  [{ schema, headers: { "X-A": "a\r\nX-B: b" } }, "headers.X-A: must be 1 to 1000 printable characters of ASCII"],
  [{ schema, headers: { "Content-Length": "1" } }, "headers.Content-Length: has a name that is not allowed"],
  [{ schema, headers: { "x-api-key": "k" } }, "headers: name x-api-key, which is the header of the key"],
  [{ schema, auth: { header: "A" }, headers: { a: "k" } }, "headers: name a, which is the header of the key"],
  [{ schema, headers: { "X-A": "1", "x-a": "2" } }, "headers: name x-a twice"],
  [{ schema, paths: { "token-security": "/v1/../admin" } }, "paths.token-security: must not hold . or .."],
  [
    { schema, paths: { "token-security": "https://elsewhere.example/" } },
    "paths.token-security: must be a path that begins with /",
  ],
  [{ schema, operations: ["token-security"] }, "operations: must name address-poisoning, which every event needs"],
  [
    { schema, operations: ["tokens"] },
    "operations.0: must be one of solana-emulate, token-security, transaction-security, evm-transaction-security, address-poisoning, address-classify",
  ],
  [{ schema, levels: { low: "HARMLESS" } }, "levels.low: must be one of INFO, WARN, UNKNOWN, BLOCK"],
  [{ schema, level: {} }, "the file: unknown field level"],
])("%j is refused: %s", (value, detail) => {
  expect(readDialect(value)).toEqual({ ok: false, detail });
});
