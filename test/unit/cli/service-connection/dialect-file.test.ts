import { expect, test } from "vitest";
import { dialectOf, interfaceDialect } from "../../../../src/adapters/http/service/dialect.ts";
import { routes } from "../../../../src/api/routes.ts";
import { readDialect } from "../../../../src/cli/service-connection/dialect-file.ts";

const schema = "weir.dialect/1";
const names = Object.keys(routes) as (keyof typeof routes)[];

test("without a file every request follows the interface", () => {
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
    solanaEmulate: routes.solanaEmulate.path,
    tokenSecurity: "/v1/tokens/security",
    transactionSecurity: routes.transactionSecurity.path,
    evmTransactionSecurity: routes.evmTransactionSecurity.path,
    poisoningBatch: "/v1/poisoning",
    poisoningSingle: "/v1/poisoning",
    poisoningQuery: "/v1/poisoning",
    classifyQuery: routes.classifyQuery.path,
    classifyBody: routes.classifyBody.path,
  });
});

test("a scheme without a header is put in front of the key in its own header", () => {
  const read = readDialect({ schema, auth: { scheme: "Token" } });
  expect(read.ok && dialectOf(read.value).headersWith("k")).toEqual({ "X-API-KEY": "Token k" });
});

test("a file names chains by ids and names, and limits", () => {
  const read = readDialect({
    schema,
    chains: { eth: "ethereum-mainnet", "56": "56", solana: 101, tron: "bip:1" },
    limits: { items: 1_000, transactions: 4 },
  });
  if (!read.ok) throw new Error(read.detail);
  const { sent } = dialectOf(read.value);

  const words = ["1", "56", "solana", "tron", "137"].map((chain_id) => sent({ chain_id }).chain_id);
  expect(words).toEqual(["ethereum-mainnet", "56", "101", "bip:1", "137"]);
});

test("a chain name may be another chain's name where that chain has its own name in the file", () => {
  expect(readDialect({ schema, chains: { eth: "56", bsc: "1" } })).toMatchObject({ ok: true });
});

test.each<[unknown, string]>([
  [null, "the file: must be an object"],
  [{}, "schema: must be weir.dialect/1"],
  [{ schema, auth: { header: "a b" } }, "auth.header: must be the name of a header"],
  [{ schema, auth: { header: "Host" } }, "auth.header: is a header that the client writes itself"],
  [{ schema, auth: { scheme: "two words" } }, "auth.scheme: must be one word"],
  [{ schema, auth: { key: "secret" } }, "auth: key: unknown field; it has header, scheme"],
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
  [{ schema, level: {} }, "the file: level: unknown field; did you mean levels?"],
  [
    { schema, price: 1, pats: {} },
    "the file: price: unknown field; it has schema, auth, headers, paths, operations, levels, taxes, chains, limits; pats: unknown field; did you mean paths?",
  ],
  [{ schema, auth: { heder: "X-A" } }, "auth: heder: unknown field; did you mean header?"],
  [{ schema, paths: { "token-securty": "/t" } }, "paths: token-securty: unknown field; did you mean token-security?"],
  [{ schema, limits: { item: 5 } }, "limits: item: unknown field; did you mean items?"],
  [{ schema, limits: { items: 2 } }, "limits.items: must be at least 3: a user, a target and a token"],
  [{ schema, limits: { items: 1_001 } }, "limits.items: must be at most 1000, which is the limit of the interface"],
  [{ schema, limits: { items: 20.5 } }, "limits.items: must be a whole number"],
  [{ schema, limits: { transactions: 0 } }, "limits.transactions: must be at least 1"],
  [{ schema, chains: { eht: "eth-main" } }, "chains: unknown chain eht: did you mean eth?"],
  [
    { schema, chains: { "99999999": "x" } },
    "chains: unknown chain 99999999: name a chain by its decimal id, or by a name such as eth, tron, solana or bitcoin",
  ],
  [{ schema, chains: { eth: "a", "1": "b" } }, "chains: 1 and eth are one chain: leave one of them out"],
  [
    { schema, chains: { eth: "Mainnet", tron: "mainnet" } },
    "chains: eth and tron have one word, mainnet: give each chain a word of its own",
  ],
  [
    { schema, chains: { eth: "bsc" } },
    "chains.eth: bsc is a name of BNB Smart Chain (56): correct it, or give chain 56 a word of its own",
  ],
  [
    { schema, chains: { eth: "" } },
    "chains.eth: must be a word of 1 to 64 letters, digits and . : - _, or a whole number",
  ],
  [
    { schema, chains: { eth: 1.5 } },
    "chains.eth: must be a word of 1 to 64 letters, digits and . : - _, or a whole number",
  ],
])("%j is refused: %s", (value, detail) => {
  expect(readDialect(value)).toEqual({ ok: false, detail });
});
