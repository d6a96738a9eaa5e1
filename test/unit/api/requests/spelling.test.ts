import { describe, expect, test } from "vitest";
import { z } from "zod";
import { camelCase, fieldAliases, snakeCase, spellingOf } from "../../../../src/api/requests/spelling.ts";

const schema = z.object({
  chain_id: z.string(),
  feePayer: z.string().optional(),
  sol_transactions: z
    .array(z.object({ programId: z.string(), inner_keys: z.array(z.object({ isSigner: z.boolean() })) }))
    .register(fieldAliases, { names: ["transactions"] }),
  requested_items: z.object({ balance_changes: z.boolean() }).default({ balance_changes: true }),
  free_form: z.record(z.string(), z.unknown()).optional(),
});
const respell = spellingOf(schema);

test("converts every level to the spelling of the schema", () => {
  const input = {
    chainId: "1",
    fee_payer: "x",
    transactions: [{ program_id: "p", innerKeys: [{ is_signer: true }] }],
    requestedItems: { balanceChanges: false },
  };

  expect(respell(input)).toEqual({
    value: {
      chain_id: "1",
      feePayer: "x",
      sol_transactions: [{ programId: "p", inner_keys: [{ isSigner: true }] }],
      requested_items: { balance_changes: false },
    },
    clashes: [],
  });
});

test("returns the very same value when no name changes", () => {
  const input = { chain_id: "1", unknown: [1] };

  expect(spellingOf(z.object({ chain_id: z.string() }))(input).value).toBe(input);
});

test("does not change its input", () => {
  const input = Object.freeze({ chainId: "1", transactions: Object.freeze([Object.freeze({ program_id: "p" })]) });

  expect(respell(input).value).toEqual({ chain_id: "1", sol_transactions: [{ programId: "p" }] });
});

test("keeps names where the schema has no fields of its own", () => {
  const input = { free_form: { chainId: 1, a_b: 2 }, unknown: { chainId: 3 } };

  expect(respell(input)).toEqual({ value: input, clashes: [] });
});

test.each([null, 1, "text", true, [], [{ chainId: "1" }]])("returns %j unchanged", (input) => {
  expect(respell(input)).toEqual({ value: input, clashes: [] });
});

describe("one field under two names", () => {
  test("counts as one when the values are equal", () => {
    expect(respell({ chainId: { a: [1] }, chain_id: { a: [1] } })).toEqual({
      value: { chain_id: { a: [1] } },
      clashes: [],
    });
  });

  test.each([
    [{ chain_id: "1", chainId: "2" }, ["chain_id", "chainId"]],
    [{ chainId: "2", chain_id: "1" }, ["chain_id", "chainId"]],
    [{ chain_id: 1, chainId: "1" }, ["chain_id", "chainId"]],
    [{ chain_id: null, chainId: "1" }, ["chain_id", "chainId"]],
  ])("is a clash in %j", (input, names) => {
    expect(respell(input).clashes).toEqual([{ path: ["chain_id"], names }]);
  });

  test("is reported with its whole path, in the sent spelling", () => {
    const input = { transactions: [{}, { innerKeys: [{ isSigner: true, is_signer: false }] }], solTransactions: [] };

    expect(respell(input).clashes).toEqual([
      { path: ["sol_transactions"], names: ["transactions", "solTransactions"] },
      { path: ["sol_transactions", 1, "inner_keys", 0, "isSigner"], names: ["isSigner", "is_signer"] },
    ]);
  });
});

describe("null", () => {
  test.each([
    ["an optional field", { chain_id: "1", feePayer: null }, { chain_id: "1" }],
    ["an optional field in its other spelling", { chain_id: "1", fee_payer: null }, { chain_id: "1" }],
    ["an optional field in both spellings", { chain_id: "1", feePayer: null, fee_payer: null }, { chain_id: "1" }],
    ["a field with a default", { chain_id: "1", requestedItems: null }, { chain_id: "1" }],
    ["a field that holds a record", { chain_id: "1", free_form: null }, { chain_id: "1" }],
    ["one name of an optional field", { feePayer: null, fee_payer: "x" }, { feePayer: "x" }],
    ["the other name of an optional field", { feePayer: "x", fee_payer: null }, { feePayer: "x" }],
  ])("in %s counts as omitted", (_what, input, value) => {
    expect(respell(input)).toEqual({ value, clashes: [] });
  });

  test.each([
    ["a required field", { chain_id: null }],
    ["a required field with an alias", { sol_transactions: null }],
    ["an item of a list", { sol_transactions: [null] }],
    ["a required field of an item", { sol_transactions: [{ programId: null }] }],
    ["a required field of an optional object", { requested_items: { balance_changes: null } }],
    ["a member of a record", { free_form: { feePayer: null } }],
    ["an unknown field", { unknown: null }],
  ])("in %s stays", (_what, input) => {
    expect(respell(input)).toEqual({ value: input, clashes: [] });
  });

  test("stays where it has a meaning in the schema", () => {
    const free = spellingOf(z.object({ ref: z.unknown().optional(), from: z.string().nullish() }));

    expect(free({ ref: null, from: null })).toEqual({ value: { ref: null, from: null }, clashes: [] });
  });
});

test.each([
  ["feePayer", "fee_payer"],
  ["chain_id", "chain_id"],
  ["txID", "tx_id"],
  ["dappUrl", "dapp_url"],
  ["address", "address"],
  ["top5EoaConcentration", "top5_eoa_concentration"],
])("%s is %s in snake_case", (name, snake) => {
  expect(snakeCase(name)).toBe(snake);
});

test.each([
  ["fee_payer", "feePayer"],
  ["feePayer", "feePayer"],
  ["raw_data_hex", "rawDataHex"],
  ["address", "address"],
  ["top_5", "top5"],
])("%s is %s in camelCase", (name, camel) => {
  expect(camelCase(name)).toBe(camel);
});
