import { describe, expect, test } from "vitest";
import { MAX_EVENT_BYTES } from "../../../src/messages/event.ts";
import { parseEvent, readEvent } from "../../../src/messages/parse-event.ts";

const address = { type: "address", chain_id: "1", address: "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91" };
const transaction = { type: "transaction", chain_id: "tron", transaction: { raw_data: {} } };
const bytesOf = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
const parse = (value: unknown) => parseEvent(bytesOf(value));

describe("accepted records", () => {
  test("an address event with every field", () => {
    const event = {
      ...address,
      id: "order-7",
      tenant: "acme",
      user_addresses: ["0x1E227979f0b5BC691a70DEAed2e0F39a6F538FD5"],
      token_address: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
      checks: ["classification"],
      lane: "backfill",
      occurred_at: "2026-01-01T00:00:00Z",
      ref: { any: ["thing", 1, null] },
    };

    expect(parse(event)).toEqual({ ok: true, value: event });
  });

  test("a transaction event, with an object or an array of objects", () => {
    expect(parse(transaction)).toEqual({ ok: true, value: transaction });
    expect(parse({ ...transaction, transaction: [{ a: 1 }, { b: 2 }], dapp_url: "https://a.example" })).toEqual({
      ok: true,
      value: { ...transaction, transaction: [{ a: 1 }, { b: 2 }], dapp_url: "https://a.example" },
    });
  });

  test.each([
    ["chainId", "chain_id", "1"],
    ["userAddresses", "user_addresses", ["a"]],
    ["tokenAddress", "token_address", "b"],
    ["occurredAt", "occurred_at", "2026-01-31"],
  ])("%s means %s", (camel, snake, value) => {
    const { [snake as keyof typeof address]: _dropped, ...rest } = address;

    expect(parse({ ...rest, [camel]: value })).toEqual(parse({ ...rest, [snake]: value }));
    expect(parse({ ...rest, [camel]: value })).toMatchObject({ ok: true, value: { [snake]: value } });
  });

  test.each([
    "2026-01-31T08:00:00Z",
    "2024-02-29t23:59:60.123456+05:30",
    "2026-01-31 08:00:00-00:00",
    "2026-01-31T08:00:00",
    "2026-01-31",
  ])("%s is a time", (occurred_at) => {
    expect(parse({ ...address, occurred_at })).toMatchObject({ ok: true, value: { occurred_at } });
  });

  test("dappUrl means dapp_url", () => {
    expect(parse({ ...transaction, dappUrl: "https://a.example" })).toMatchObject({
      value: { dapp_url: "https://a.example" },
    });
  });

  test("names inside a transaction keep their spelling", () => {
    const { value } = parse({ ...transaction, transaction: { feePayer: "a", chain_id: 1 } }) as { value: unknown };

    expect(value).toMatchObject({ transaction: { feePayer: "a", chain_id: 1 } });
  });

  test("a chain id may be a number, which becomes its text", () => {
    expect(parse({ ...address, chain_id: 56 })).toMatchObject({ ok: true, value: { chain_id: "56" } });
  });

  test("both spellings with the same value count as one", () => {
    expect(parse({ ...address, chainId: "1" })).toEqual({ ok: true, value: address });
  });

  test.each([["an address", address] as const, ["a transaction", transaction] as const])(
    "repeated names in ref belong to the producer, also beside %s",
    (_, event) => {
      const text = JSON.stringify({ ref: 0, ...event }).replace('"ref":0', '"ref":{"a":1,"b":[{"c":1,"c":2}],"a":2}');

      expect(parse(text)).toMatchObject({ ok: true, value: { ref: { a: 2, b: [{ c: 2 }] } } });
    },
  );

  test("a field without an address, and addresses in ref, belong to the producer", () => {
    const theirs = { user_id: "42", wallet_id: "w-7", customer_ref: "x", tx_hash: `0x${"ab".repeat(32)}` };

    expect(parse({ ...address, ...theirs, ref: { users: [address.address] } })).toEqual({
      ok: true,
      value: { ...address, ref: { users: [address.address] } },
    });
  });

  test("unknown fields are dropped", () => {
    expect(parse({ ...address, colour: "red", revision: 7 })).toEqual({ ok: true, value: address });
  });

  test("names inside ref and transaction belong to the producer", () => {
    const theirs = { users: ["a"], user_adresses: ["b"], chain: "1" };

    expect(parse({ ...address, ref: theirs })).toEqual({ ok: true, value: { ...address, ref: theirs } });
    expect(parse({ ...transaction, transaction: theirs })).toEqual({
      ok: true,
      value: { ...transaction, transaction: theirs },
    });
  });

  test("the text of a number inside a transaction survives exactly", () => {
    const text = '{"type":"transaction","chain_id":"tron","transaction":{"call_value":9007199254740993,"x":[1.0]}}';

    const parsed = parseEvent(bytesOf(text));

    expect(JSON.stringify((parsed as { value: unknown }).value)).toContain('{"call_value":9007199254740993,"x":[1.0]}');
  });

  test("a byte order mark does not matter", () => {
    expect(parseEvent(Buffer.from(`\uFEFF${JSON.stringify(address)}`))).toEqual({ ok: true, value: address });
  });

  test("ref may be any JSON, null and exact numbers too", () => {
    expect(parse({ ...address, ref: null })).toMatchObject({ value: { ref: null } });
    const parsed = parse(`${JSON.stringify(address).slice(0, -1)},"ref":1e400}`);
    expect(JSON.stringify((parsed as { value: { ref: unknown } }).value.ref)).toBe("1e400");
  });
});

test("a chain id beyond 2^53 keeps every digit, like its text", () => {
  const text = JSON.stringify(address).replace('"1"', "9007199254740993");

  expect(parse(text)).toMatchObject({ ok: true, value: { chain_id: "9007199254740993" } });
});

const stray =
  "unknown field that holds an address; put addresses the user knows in user_addresses, or rename it to ref";

describe("refused records, with the reason", () => {
  const long = "x".repeat(257);
  test.each<[string, unknown, string]>([
    ["an empty record", "", "not valid JSON"],
    ["text", "hello", "not valid JSON"],
    ["a torn record", '{"type":"address"', "not valid JSON"],
    ["two records in one", "{}{}", "not valid JSON"],
    ["null", "null", "must be a JSON object"],
    ["an array", "[]", "must be a JSON object"],
    ["a string", '"x"', "must be a JSON object"],
    ["a number", "1", "must be a JSON object"],
    ["a number whose text must be kept", "1.0", "must be a JSON object"],
    ["no type", {}, "type: field required"],
    ["an unknown type", { ...address, type: "adress" }, "type: must be address or transaction"],
    ["a type in capitals", { ...address, type: "ADDRESS" }, "type: must be address or transaction"],
    ["a null type", { ...address, type: null }, "type: must be address or transaction"],
    ["a type like a built-in name", { ...address, type: "constructor" }, "type: must be address or transaction"],
    ["no chain", { type: "address", address: "a" }, "chain_id: field required"],
    ["no address", { type: "address", chain_id: "1" }, "address: field required"],
    ["a null address", { ...address, address: null }, "address: must be a string"],
    ["an address that is a number", { ...address, address: 12 }, "address: must be a string"],
    ["a fractional chain", { ...address, chain_id: 1.5 }, "chain_id: must be a string or a non-negative integer"],
    ["a negative chain", { ...address, chain_id: -1 }, "chain_id: must be a string or a non-negative integer"],
    ["a boolean chain", { ...address, chain_id: true }, "chain_id: must be a string or a non-negative integer"],
    ["users that are no list", { ...address, user_addresses: "a" }, "user_addresses: must be an array"],
    ["a user that is no text", { ...address, user_addresses: ["a", 7] }, "user_addresses[1]: must be a string"],
    ["a token that is no text", { ...address, token_address: {} }, "token_address: must be a string"],
    [
      "an unknown check",
      { ...address, checks: ["poisoning", "vibes"] },
      "checks[1]: must be one of poisoning, token-security, classification, solana-simulation, tron-security, evm-security, tron-integrity, listed, payment",
    ],
    ["an unknown lane", { ...address, lane: "fast" }, "lane: must be realtime or backfill"],
    ["an empty id", { ...address, id: "" }, "id: must not be empty"],
    ["an id that is a number", { ...address, id: 7 }, "id: must be a string"],
    ["an empty tenant", { ...address, tenant: "" }, "tenant: must not be empty"],
    ["an id with a line break", { ...address, id: "a\nb" }, "id: must not hold control characters"],
    ["a tenant with a NUL", { ...address, tenant: "a\u0000" }, "tenant: must not hold control characters"],
    ["a time that is a number", { ...address, occurred_at: 5 }, "occurred_at: must be a string"],
    ...["", "yesterday", "08:00", "2026-13-01", "2026-02-29T00:00:00Z", "2026-01-01T24:00:00Z", "1767225600"].map(
      (occurred_at): [string, object, string] => [
        `a time that is none, ${occurred_at}`,
        { ...address, occurred_at },
        "occurred_at: must be a time such as 2026-01-31T08:00:00Z",
      ],
    ),
    [
      "two spellings with different values",
      { ...address, chainId: "56" },
      "chain_id: given twice with different values, as chain_id and chainId",
    ],
    [
      "a misspelled field",
      { ...address, user_adresses: ["a"] },
      "user_adresses: unknown field; did you mean user_addresses?",
    ],
    ["another word for a field", { ...address, Users: [] }, "Users: unknown field; did you mean user_addresses?"],
    [
      "a misspelled field, before the one that is missing",
      { type: "address", chain_id: "1", adress: "a" },
      "adress: unknown field; did you mean address?",
    ],
    [
      "a misspelled field of a transaction",
      { ...transaction, user_address: "a" },
      "user_address: unknown field; did you mean user_addresses?",
    ],
    [
      "a misspelled field that steers terminals",
      { ...address, "users\u001b[1\n": [] },
      "users\uFFFD[1\uFFFD: unknown field; did you mean user_addresses?",
    ],
    [
      "users under a name that is not read",
      { ...address, known_recipients: [address.address] },
      `known_recipients: ${stray}`,
    ],
    [
      "users under a name that steers terminals",
      { ...address, "my wallets\u001b[1\n": { a: [`x;${address.address}`] } },
      `my wallets\uFFFD[1\uFFFD: ${stray}`,
    ],
    [
      "users of a transaction under a name that is not read",
      { ...transaction, chainId: "tron", contacts: "TA9SJtzNUWiU6JzyS3kEQuRHRkPsitspmo" },
      `contacts: ${stray}`,
    ],
    [
      "users given twice, the second time nobody",
      `${JSON.stringify({ ...address, user_addresses: ["a"] }).slice(0, -1)},"user_addresses":[]}`,
      "user_addresses: given twice",
    ],
    [
      "a name given twice, once with escapes",
      `${JSON.stringify(address).slice(0, -1)},"address\u001b":1,"\\u0061ddress\\u001b":1}`.replace(
        "\u001b",
        "\\u001b",
      ),
      "address\uFFFD: given twice",
    ],
    [
      "a transaction with two recipients",
      JSON.stringify({ ...transaction, transaction: { from: "0x1", to: 0 } }).replace(
        '"to":0',
        '"to":"0x2","to":"0x3"',
      ),
      "to: given twice",
    ],
    [
      "a transaction with two recipients, deep inside and behind a ref",
      JSON.stringify({ ref: {}, ...transaction, transaction: [{ a: [{ b: 0 }] }] }).replace(
        '"b":0',
        '"b":1,"\\u0062":2',
      ),
      "b: given twice",
    ],
    [
      "an address that a second value hides, in a field that is not read",
      `${JSON.stringify(address).slice(0, -1)},"data":[{"memo":"${address.address}","memo":""}]}`,
      "memo: given twice",
    ],
    [
      "users in both spellings, the second time nobody",
      { ...address, user_addresses: ["a"], userAddresses: [] },
      "user_addresses: given twice with different values, as user_addresses and userAddresses",
    ],
    ["no transaction", { type: "transaction", chain_id: "1" }, "transaction: field required"],
    ["a transaction that is text", { ...transaction, transaction: "0x" }, "transaction: must be an object or an array"],
    ["an empty list of transactions", { ...transaction, transaction: [] }, "transaction: at least 1 item"],
    ["a list of texts", { ...transaction, transaction: ["0x"] }, "transaction: must be an object or an array"],
    [
      "a transaction that is a number",
      '{"type":"transaction","chain_id":"1","transaction":1.0}',
      "transaction: must be an object or an array",
    ],
    [
      "a list of numbers",
      '{"type":"transaction","chain_id":"1","transaction":[1.0]}',
      "transaction: must be an object or an array",
    ],
    ["a dapp_url that is no text", { ...transaction, dapp_url: 1 }, "dapp_url: must be a string"],
  ])("%s", (_name, record, detail) => {
    expect(parse(record)).toEqual({ ok: false, detail });
  });

  test("a long id names its limit", () => {
    expect(parse({ ...address, id: long })).toMatchObject({ ok: false, detail: expect.stringMatching(/^id: .*256/) });
  });

  test("more than ten thousand users", () => {
    const users = (count: number) => ({ ...address, user_addresses: new Array(count).fill("a") });

    expect(parse(users(10_000))).toMatchObject({ ok: true });
    expect(parse(users(10_001))).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/10000/),
    });
  });

  test("bytes that are not UTF-8", () => {
    const bytes = Buffer.from(JSON.stringify({ ...address, ref: "x" }));
    bytes[bytes.length - 3] = 0xff;

    expect(parseEvent(bytes)).toEqual({ ok: false, detail: "not valid UTF-8" });
  });

  test("a record one byte above the limit, while a record at the limit is read", () => {
    const padded = (size: number) => {
      const text = JSON.stringify(address);
      return Buffer.from(text + " ".repeat(size - text.length));
    };

    expect(MAX_EVENT_BYTES).toBe(262_144);
    expect(parseEvent(padded(MAX_EVENT_BYTES))).toEqual({ ok: true, value: address });
    expect(parseEvent(padded(MAX_EVENT_BYTES + 1))).toEqual({ ok: false, detail: "larger than 262144 bytes" });
  });

  test("a record that is nested too deeply, before any recursion", () => {
    const nested = (depth: number) =>
      `${JSON.stringify(address).slice(0, -1)},"ref":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

    expect(parse(nested(64))).toMatchObject({ ok: true });
    expect(parse(nested(65))).toEqual({ ok: false, detail: "nested deeper than 64 levels" });
    expect(parse(nested(100_000))).toEqual({ ok: false, detail: "nested deeper than 64 levels" });
  });

  test("names like __proto__ change nothing", () => {
    const parsed = parse(`{"__proto__":{"address":"evil"},"type":"address","chain_id":"1"}`);

    expect(parsed).toEqual({ ok: false, detail: "address: field required" });
    expect(Reflect.get({}, "address")).toBeUndefined();
  });
});

test("a value from another format has to keep the same rules", () => {
  expect(readEvent(address)).toEqual({ ok: true, value: address });
  expect(readEvent(undefined)).toEqual({ ok: false, detail: "must be a JSON object" });
  expect(readEvent({ ...address, address: undefined })).toEqual({ ok: false, detail: "address: field required" });
});

test("user_address is one more entry of user_addresses, as in the service's single form", () => {
  const event = { type: "address", chain_id: "1", address: "a" };

  expect(readEvent({ ...event, user_address: "u" })).toEqual({ ok: true, value: { ...event, user_addresses: ["u"] } });
  expect(readEvent({ ...event, userAddress: "u", user_addresses: ["v", "u"] })).toEqual({
    ok: true,
    value: { ...event, user_addresses: ["v", "u"] },
  });
});
