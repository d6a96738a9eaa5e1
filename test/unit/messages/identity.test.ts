import { describe, expect, test } from "vitest";
import { canonicalEvent, verdictId } from "../../../src/messages/identity.ts";
import { eventOf } from "../../fakes/events.ts";

const base = {
  type: "address",
  chain_id: "1",
  address: "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91",
  user_addresses: ["0x1E227979f0b5BC691a70DEAed2e0F39a6F538FD5", "0xcB80784ef74C98A89b6Ab8D96ebE890859600819"],
  token_address: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  checks: ["classification"],
};
const tron = { type: "address", chain_id: "tron", address: "TA9SJtzNUWiU6JzyS3kEQuRHRkPsitspmo" };
const transaction = { type: "transaction", chain_id: "1", transaction: { to: "0x1", value: "1" }, dapp_url: "a" };

const canonicalOf = (fields: Readonly<Record<string, unknown>> | string) => canonicalEvent(eventOf(fields));

test("the canonical event is one text, with canonical chain and addresses and sorted keys", () => {
  expect(canonicalOf({ ...base, id: "order-7", ref: "x" })).toBe(
    '{"address":"0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91","chain_id":"1","checks":["classification"],' +
      '"token_address":"0xdac17f958d2ee523a2206206994597c13d831ec7","type":"address",' +
      '"user_addresses":["0x1e227979f0b5bc691a70deaed2e0f39a6f538fd5","0xcb80784ef74c98a89b6ab8d96ebe890859600819"]}',
  );
});

test("the verdict id of a known event is fixed, because a change would orphan every archived verdict", () => {
  const id = verdictId("acme", "order-7", canonicalOf(base));

  expect(id).toBe("c8183d52814781e66176a44238c17423a0ca4774c946e79ab7915403c38262a3");
});

test("the verdict id of an unreadable record comes from its raw bytes", () => {
  expect(verdictId("", "a.ndjson/1", Buffer.from("{broken"))).toBe(
    "ef8d9a65c1f817ddf83b1340a3a9042de87ba277d386b8e5a8b018eefa972366",
  );
  expect(verdictId("", "a.ndjson/1", Buffer.from("{broken"))).toBe(verdictId("", "a.ndjson/1", "{broken"));
});

describe("a change that keeps the question keeps the canonical event", () => {
  test.each<[string, Readonly<Record<string, unknown>>]>([
    ["an id", { ...base, id: "order-7" }],
    ["a tenant", { ...base, tenant: "acme" }],
    ["a lane", { ...base, lane: "backfill" }],
    ["a ref", { ...base, ref: { a: 1 } }],
    ["a time", { ...base, occurred_at: "2026-01-01T00:00:00Z" }],
    ["an unknown field", { ...base, colour: "red" }],
    ["the order of keys", Object.fromEntries(Object.entries(base).reverse())],
    ["the chain's alias", { ...base, chain_id: "eth" }],
    ["the chain's alias in capitals", { ...base, chain_id: "ETHEREUM" }],
    ["the chain's number", { ...base, chain_id: 1 }],
    ["addresses in lower case", { ...base, address: base.address.toLowerCase() }],
    ["a token in lower case", { ...base, token_address: base.token_address.toLowerCase() }],
    ["users in lower case", { ...base, user_addresses: base.user_addresses.map((user) => user.toLowerCase()) }],
  ])("%s", (_name, fields) => {
    expect(canonicalOf(fields)).toBe(canonicalOf(base));
  });

  test("camelCase", () => {
    const { chain_id, user_addresses, token_address, ...rest } = base;

    expect(
      canonicalOf({ ...rest, chainId: chain_id, userAddresses: user_addresses, tokenAddress: token_address }),
    ).toBe(canonicalOf(base));
  });

  test("the hex form of a TRON address, and the number of TRON", () => {
    const hex = "4101fee0c3ad9a4c3e9a9ec1cc4e5e5e5e5e5e5e5e";

    expect(canonicalOf({ ...tron, chain_id: "728126428" })).toBe(canonicalOf(tron));
    expect(canonicalOf({ ...tron, address: hex })).toMatch(/"address":"T/);
  });

  test("the order of keys inside a transaction", () => {
    expect(canonicalOf({ ...transaction, transaction: { value: "1", to: "0x1" } })).toBe(canonicalOf(transaction));
  });
});

describe("any other change changes the canonical event", () => {
  test.each<[string, Readonly<Record<string, unknown>>]>([
    ["another chain", { ...base, chain_id: "56" }],
    ["another address", { ...base, address: "0xbaf4b1aF7E3B560d937DA0458514552B6495F8b5" }],
    ["another token", { ...base, token_address: "0xbaf4b1aF7E3B560d937DA0458514552B6495F8b5" }],
    ["no token", { ...base, token_address: undefined }],
    ["other users", { ...base, user_addresses: base.user_addresses.slice(0, 1) }],
    ["users in another order", { ...base, user_addresses: base.user_addresses.toReversed() }],
    ["no users", { ...base, user_addresses: undefined }],
    ["an empty list of users", { ...base, user_addresses: [] }],
    ["other checks", { ...base, checks: ["poisoning"] }],
    ["no checks", { ...base, checks: undefined }],
  ])("%s of an address event", (_name, fields) => {
    expect(canonicalOf(fields)).not.toBe(canonicalOf(base));
  });

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ["another transaction", { ...transaction, transaction: { to: "0x1", value: "2" } }],
    ["a list of one", { ...transaction, transaction: [{ to: "0x1", value: "1" }] }],
    ["another dapp", { ...transaction, dapp_url: "b" }],
    ["another chain", { ...transaction, chain_id: "10" }],
  ])("%s of a transaction event", (_name, fields) => {
    expect(canonicalOf(fields)).not.toBe(canonicalOf(transaction));
  });

  test("a number's last digit beyond 2^53, and its spelling", () => {
    const withValue = (text: string) =>
      canonicalOf(`{"type":"transaction","chain_id":"tron","transaction":{"call_value":${text}}}`);

    expect(new Set(["9007199254740992", "9007199254740993", "1", "1.0"].map(withValue)).size).toBe(4);
  });
});

test("an invalid address, or an address on an unknown chain, is kept as given", () => {
  expect(canonicalOf({ type: "address", chain_id: "1", address: "0xABC" })).toBe(
    '{"address":"0xABC","chain_id":"1","type":"address"}',
  );
  expect(canonicalOf({ ...base, chain_id: "Nowhere" })).toContain(`"address":"${base.address}","chain_id":"Nowhere"`);
});

test("tenant, event id and canonical event all count and cannot be shifted into each other", () => {
  const ids = [
    verdictId("acme", "1", "{}"),
    verdictId("", "1", "{}"),
    verdictId("acme", "2", "{}"),
    verdictId("acme", "1", "[]"),
    verdictId("acme1", "", "{}"),
    verdictId("", "acme1", "{}"),
  ];

  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{64}$/);
});
