import { describe, expect, test } from "vitest";
import { z } from "zod";
import { MAX_REQUEST_ITEMS, pathText, requestParser } from "../../../../src/api/requests/request.ts";

const parse = requestParser(
  z
    .object({
      user_addresses: z.array(z.object({ chain_id: z.string(), address: z.string() })).min(1, "at least 1 item"),
      items: z.array(z.unknown()).default([]),
      kind: z.enum(["a", "b"], { error: "must be a or b" }).optional(),
      options: z.object({ deep: z.boolean() }).optional(),
    })
    .refine((request) => request.items.length !== 7, { path: ["items"], message: "not seven" }),
);
const user = { chain_id: "1", address: "x" };

test("returns the documented fields and drops the others", () => {
  expect(parse({ userAddresses: [{ ...user, more: 1 }], other: 2 })).toEqual({
    ok: true,
    value: { user_addresses: [user], items: [] },
  });
});

test.each<[unknown, string]>([
  [undefined, "body: must be an object"],
  [null, "body: must be an object"],
  [[], "body: must be an object"],
  ["text", "body: must be an object"],
  [{}, "user_addresses: field required"],
  [{ user_addresses: undefined }, "user_addresses: field required"],
  [{ user_addresses: null }, "user_addresses: must be an array"],
  [{ user_addresses: [] }, "user_addresses: at least 1 item"],
  [{ user_addresses: [user, {}] }, "user_addresses[1].chain_id: field required"],
  [{ user_addresses: [user, { chainId: "1" }] }, "user_addresses[1].address: field required"],
  [{ user_addresses: [{ ...user, address: 1 }] }, "user_addresses[0].address: must be a string"],
  [{ user_addresses: [user], kind: "c" }, "kind: must be a or b"],
  [{ user_addresses: [null] }, "user_addresses[0]: must be an object"],
  [{ user_addresses: [{ ...user, address: null }] }, "user_addresses[0].address: must be a string"],
  [{ user_addresses: [user], options: { deep: null } }, "options.deep: must be a boolean"],
  [{ user_addresses: [user], options: { deep: 1 } }, "options.deep: must be a boolean"],
  [{ user_addresses: [user], items: [1, 2, 3, 4, 5, 6, 7] }, "items: not seven"],
  [
    { user_addresses: [{ ...user, chainId: "2" }] },
    "user_addresses[0].chain_id: given twice with different values, as chain_id and chainId",
  ],
])("%j is refused with the first field at fault", (input, detail) => {
  expect(parse(input)).toEqual({ ok: false, detail });
});

test.each([{ kind: null }, { options: null }, { items: null }, { kind: null, options: null, items: null }])(
  "null counts as omitted in %j",
  (nulls) => {
    expect(parse({ user_addresses: [user], ...nulls })).toEqual({
      ok: true,
      value: { user_addresses: [user], items: [] },
    });
  },
);

test("a rule about an absent optional field does not call it required", () => {
  const never = requestParser(
    z.object({ a: z.string().optional() }).refine(() => false, { path: ["a"], message: "or the other" }),
  );

  expect(never({})).toEqual({ ok: false, detail: "a: or the other" });
});

describe("items of all arrays together", () => {
  const withItems = (count: number) => ({ user_addresses: [user], items: Array.from({ length: count - 1 }, () => 0) });

  test("may be as many as the limit", () => {
    expect(parse(withItems(MAX_REQUEST_ITEMS))).toMatchObject({ ok: true });
  });

  test("may not be more than the limit", () => {
    expect(parse(withItems(MAX_REQUEST_ITEMS + 1))).toEqual({ ok: false, detail: "body: more than 10000 items" });
  });

  test("are counted at every depth", () => {
    const deep = { a: [{ b: Array.from({ length: MAX_REQUEST_ITEMS }, () => 0) }] };

    expect(parse(deep)).toEqual({ ok: false, detail: "body: more than 10000 items" });
  });
});

test.each<[PropertyKey[], string]>([
  [[], "body"],
  [["a"], "a"],
  [["a", 3, "b"], "a[3].b"],
  [[0, "b"], "[0].b"],
  [["a", 0, 1], "a[0][1]"],
])("the path %j is written %s", (path, text) => {
  expect(pathText(path)).toBe(text);
});

describe("a typing error in a guarded field", () => {
  const guarded = requestParser(z.object({ address: z.string(), user_address: z.string().optional() }), {
    fields: ["user_address"],
    besides: ["user_addresses_2"],
  });

  test.each(["user_addres", "user_adress", "userAdress", "user", "users", "wallet", "user_addresses"])(
    "%s is refused by its name",
    (name) => {
      expect(guarded({ address: "a", [name]: "b" })).toEqual({
        ok: false,
        detail: `${name}: unknown field; did you mean user_address?`,
      });
    },
  );

  test.each(["Address", "colour", "user_id", "network", "user_addresses_2"])(
    "is not seen in %s, which is dropped",
    (name) => {
      expect(guarded({ address: "a", [name]: "b" })).toEqual({ ok: true, value: { address: "a" } });
    },
  );

  test.each(["user", "users", "user_adress"])("%s is dropped when the field itself is given", (name) => {
    expect(guarded({ address: "a", user_address: "b", [name]: "c" })).toEqual({
      ok: true,
      value: { address: "a", user_address: "b" },
    });
  });

  test.each([null, "", undefined])("is refused when the field itself is %j", (userAddress) => {
    expect(guarded({ address: "a", user_address: userAddress, user: "c" })).toMatchObject({ ok: false });
  });

  test("is compared with its own field", () => {
    const two = requestParser(z.object({ user_address: z.string().optional(), token_address: z.string().optional() }), {
      fields: ["user_address", "token_address"],
    });
    expect(two({ userAddress: "a", user: "b", token: "c" })).toEqual({
      ok: false,
      detail: "token: unknown field; did you mean token_address?",
    });
  });

  test("without a value, or beside its own other spelling, loses nothing", () => {
    expect(guarded({ address: "a", users: null, user: "", wallets: [], userAddress: "b" })).toEqual({
      ok: true,
      value: { address: "a", user_address: "b" },
    });
  });
});
