/**
 * The sections "Address poisoning", "Conventions", "Errors" (address-poisoning rows) and "Limits" of the service's
 * interface. Source: docs/decisions/0001-open-points.md, which lists the open points of the interface.
 */
import { describe, expect, test } from "vitest";
import { routes } from "../../src/api/routes.ts";
import { MAX_BATCH_ITEMS } from "../../src/api/schemas/address-poisoning.ts";
import { call, evm, mismatchOf, requestOf, send, service, solana, tron } from "../support/service.ts";
import { received, recordedCall } from "./recorded.ts";
import { requests } from "./samples.ts";

const app = service();
const path = routes.poisoningSingle.path;
const clean = { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" };
const cleanToken = { is_poisoning: "0", mimics_top_token: "0", matched_token: "" };
const at = (chain_id: unknown, address: unknown) => ({ chain_id, address });
const many = (count: number) => Array.from({ length: count }, () => at("1", evm.stranger));
const batch = (fields: object) => ({ user_addresses: [at("1", evm.real)], target_addresses: [], ...fields });
const refusal = (status: string, detail: string) => ({ http: 400, body: { code: "-1", status, detail } });

describe.each(["poisoningSingle", "poisoningQuery"] as const)("the single form as %s", (name) => {
  test("the checksum of EIP-1191 is accepted on Rootstock only", async () => {
    const address = "0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD";
    const onChain = (chain_id: string) => call(app, name, { chain_id, address, user_address: address });

    expect(await onChain("30")).toMatchObject({ http: 200, body: { data: { target_address_input: address } } });
    expect(await onChain("1")).toMatchObject({ http: 400, body: { status: "invalid address" } });
  });

  test("flags are strings, sent values are echoed, and token_address is empty without a token", async () => {
    const answered = await call(app, name, { chain_id: "1", address: evm.fake, user_address: evm.real });

    expect(answered.http).toBe(200);
    expect(answered.body).toEqual({
      code: "0",
      status: "ok",
      data: {
        target_address: { is_poisoning: "1", mimics_user: "1", mimics_exchange: "0" },
        token_address: {},
        target_address_input: evm.fake,
        user_address_input: evm.real,
        token_address_input: "",
      },
    });
  });

  test("without a user mimics_user stays '0' and its echo is empty", async () => {
    expect(await call(app, name, { chain_id: "1", address: evm.fake })).toMatchObject({
      body: { data: { target_address: clean, user_address_input: "" } },
    });
  });

  test("a lookalike of an exchange names the exchange's address", async () => {
    expect(await call(app, name, { chain_id: "1", address: evm.exchangeFake })).toMatchObject({
      body: {
        data: {
          target_address: {
            is_poisoning: "1",
            mimics_user: "0",
            mimics_exchange: "1",
            matched_address: evm.exchange,
          },
        },
      },
    });
  });

  test("a token that reads like a well-known one is recognized by the symbol or name that the caller sends", async () => {
    const named = (names: object) => ({ chain_id: "1", address: evm.stranger, token_address: evm.real, ...names });
    const imitation = { is_poisoning: "1", mimics_top_token: "1", matched_token: "Dollar" };

    expect(await call(app, name, named({ token_symbol: "D\u043ellar" }))).toMatchObject({
      body: { data: { token_address: imitation } },
    });
    expect(await call(app, name, named({ tokenName: "DOLLAR" }))).toMatchObject({
      body: { data: { token_address: imitation } },
    });
    expect((await call(app, name, named({ token_symbol: "Dinar" }))).body).toHaveProperty(
      "data.token_address",
      cleanToken,
    );
    expect(
      (await call(app, name, { ...named({ token_symbol: "DOLLAR" }), token_address: evm.token })).body,
    ).toHaveProperty("data.token_address", cleanToken);
  });

  test("a lookalike of a token names the token", async () => {
    const request = { chain_id: "1", address: evm.stranger, token_address: evm.tokenFake };

    expect(await call(app, name, request)).toMatchObject({
      body: {
        data: {
          target_address: clean,
          token_address: { is_poisoning: "1", mimics_top_token: "1", matched_token: "Dollar" },
          token_address_input: evm.tokenFake,
        },
      },
    });
  });

  test("a token that resembles none has an empty matched_token", async () => {
    const answered = await call(app, name, { chain_id: "1", address: evm.stranger, token_address: evm.real });

    expect(answered).toMatchObject({ http: 200 });
    expect(answered.body).toHaveProperty("data.token_address", cleanToken);
  });

  test.each([
    ["user_address", ""],
    ["token_address", ""],
  ])("an empty %s counts as omitted", async (field, value) => {
    expect(await call(app, name, { chain_id: "1", address: evm.fake, [field]: value })).toMatchObject({
      http: 200,
      body: { data: { target_address: clean, token_address: {}, user_address_input: "", token_address_input: "" } },
    });
  });

  test.each([
    ["lower case", evm.fake.toLowerCase(), evm.real.toLowerCase()],
    ["checksum case", evm.fake, evm.real],
    ["upper case", `0x${evm.fake.slice(2).toUpperCase()}`, `0x${evm.real.slice(2).toUpperCase()}`],
  ])("addresses are echoed as sent, in %s", async (_what, address, user_address) => {
    expect(await call(app, name, { chain_id: "1", address, user_address })).toMatchObject({
      body: {
        data: {
          target_address: { mimics_user: "1" },
          target_address_input: address,
          user_address_input: user_address,
        },
      },
    });
  });

  test.each([
    ["solana", solana.fake, solana.real, "1"],
    ["SOL", solana.fake, solana.real, "1"],
    ["eth", evm.fake, evm.real, "1"],
    ["Ethereum", evm.fake, evm.real, "1"],
    ["bsc", evm.fake, evm.real, "1"],
    ["56", evm.fake, evm.real, "1"],
    ["tron", tron.base58, tron.hex, "0"],
    ["trx", tron.hex, tron.base58, "0"],
    ["728126428", tron.base58, tron.base58, "0"],
    ["bitcoin", "1BoatSLRHtKNngkdXEeobR76b53LETtpyT", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "0"],
  ])("the chain %s is supported", async (chain_id, address, user_address, mimics_user) => {
    expect(await call(app, name, { chain_id, address, user_address })).toMatchObject({
      http: 200,
      body: { data: { target_address: { mimics_user }, target_address_input: address } },
    });
  });

  test.each(["nowhere", "0", "01", "0x1", " 1", "1 ", "-1", "1.0", "999999999999", "constructor", "__proto__", ""])(
    "the chain %j is unsupported, and is named as it was sent",
    async (chain_id) => {
      expect(await call(app, name, { chain_id, address: "no address" })).toMatchObject(
        refusal("unsupported chain", `unsupported chainId: ${chain_id}`),
      );
    },
  );

  test.each([
    ["address", { address: "" }, "address: empty address"],
    ["address", { address: "nonsense" }, "address: must start with 0x"],
    ["address", { address: solana.real }, "address: must start with 0x"],
    ["address", { address: evm.real.slice(0, -1) }, "address: must have 40 hex digits after 0x, has 39"],
    ["address", { address: `${evm.real}0` }, "address: must have 40 hex digits after 0x, has 41"],
    ["address", { address: ` ${evm.real}` }, "address: must start with 0x"],
    ["user_address", { user_address: "0x12" }, "user_address: must have 40 hex digits after 0x, has 2"],
    ["token_address", { token_address: "0x12" }, "token_address: must have 40 hex digits after 0x, has 2"],
  ])("an invalid %s is 400 and says where and why: %j", async (_field, fields, detail) => {
    expect(await call(app, name, { chain_id: "1", address: evm.stranger, ...fields })).toMatchObject(
      refusal("invalid address", detail),
    );
  });

  test.each(["chain_id", "address"])("%s is required", async (field) => {
    const { [field]: _left, ...rest } = requests[name];

    expect(await call(app, name, rest)).toMatchObject(mismatchOf(name, `${field}: field required`));
  });
});

describe("the single form as a JSON body", () => {
  test.each([1, 56, 728126428])("the number %i is accepted as a chain id", async (chain_id) => {
    expect(await received("poisoningSingle", { ...requests.poisoningSingle, chain_id })).toMatchObject({
      chain_id: String(chain_id),
    });
  });

  test.each([
    ["chain_id", true, "must be a string or a non-negative integer"],
    ["chain_id", null, "must be a string or a non-negative integer"],
    ["chain_id", -1, "must be a string or a non-negative integer"],
    ["chain_id", 1.5, "must be a string or a non-negative integer"],
    ["chain_id", ["1"], "must be a string or a non-negative integer"],
    ["chain_id", {}, "must be a string or a non-negative integer"],
    ["address", 1, "must be a string"],
    ["address", null, "must be a string"],
    ["address", [evm.real], "must be a string"],
    ["user_address", 1, "must be a string"],
    ["token_address", {}, "must be a string"],
    ["token_address", false, "must be a string"],
  ])("%s %j is refused", async (field, value, what) => {
    expect(await call(app, "poisoningSingle", { ...requests.poisoningSingle, [field]: value })).toMatchObject(
      mismatchOf("poisoningSingle", `${field}: ${what}`),
    );
  });

  test.each(["user_address", "token_address"])("%s null counts as omitted in the single form", async (field) => {
    const { [field]: _left, ...rest } = requests.poisoningSingle;

    expect(await received("poisoningSingle", { ...rest, [field]: null })).toEqual(rest);
  });

  test.each(["99999999999999999999", "9007199254740993", "9".repeat(90)])(
    "the number %s is unsupported, like its text",
    async (digits) => {
      const body = `{"chain_id":${digits},"address":"${evm.real}"}`;

      expect(await send(app, { url: routes.poisoningSingle.path, body })).toMatchObject(
        refusal("unsupported chain", `unsupported chainId: ${digits}`),
      );
    },
  );

  test("an unsupported number is named by its digits", async () => {
    expect(await call(app, "poisoningSingle", { chain_id: 0, address: evm.real })).toMatchObject(
      refusal("unsupported chain", "unsupported chainId: 0"),
    );
  });
});

describe("the single form as a query string", () => {
  test.each([
    ["a clean target", { chain_id: "1", address: evm.stranger }],
    ["everything", { chain_id: "1", address: evm.fake, user_address: evm.real, token_address: evm.tokenFake }],
    ["another family", { chain_id: "solana", address: solana.fake, user_address: solana.real }],
    ["an unsupported chain", { chain_id: "nowhere", address: evm.fake }],
    ["an invalid address", { chain_id: "1", address: "0x" }],
    ["a missing field", { chain_id: "1" }],
    ["no field", {}],
  ])("%s is answered as in the POST form", async (_what, fields) => {
    const [get, post] = [await call(app, "poisoningQuery", fields), await call(app, "poisoningSingle", fields)];

    expect({ http: get.http, body: get.body }).toEqual({ http: post.http, body: post.body });
  });

  test("a repeated parameter is refused", async () => {
    const fields = { chain_id: "1", address: [evm.real, evm.fake] };

    expect(await call(app, "poisoningQuery", fields)).toMatchObject(
      mismatchOf("poisoningQuery", "address: must be a string"),
    );
  });

  test("a repeated chain_id is refused", async () => {
    const fields = { chain_id: ["1", "1"], address: evm.real };

    expect(await call(app, "poisoningQuery", fields)).toMatchObject(
      mismatchOf("poisoningQuery", "chain_id: must be a string or a non-negative integer"),
    );
  });

  test("percent escapes and plus signs are decoded", async () => {
    const url = `${path}?chain%5Fid=%31&address=${evm.real}&user_address=a+b%20c`;

    expect(await send(app, { method: "GET", url })).toMatchObject(
      refusal("invalid address", "user_address: must start with 0x"),
    );
  });

  test("the query has no batch form", async () => {
    const fields = { user_addresses: "1", target_addresses: "1" };

    expect(await call(app, "poisoningQuery", fields)).toMatchObject(
      mismatchOf("poisoningQuery", "chain_id: field required"),
    );
  });

  test("the query needs no Content-Type and accepts any", async () => {
    const request = requestOf("poisoningQuery", { chain_id: "1", address: evm.real });

    expect(await send(app, { ...request, type: "application/json" })).toMatchObject({ http: 200 });
    expect(await send(app, { ...request, type: undefined })).toMatchObject({ http: 200 });
  });
});

describe("the form of a body", () => {
  test("a body with the fields of both forms is a batch", async () => {
    const both = { ...requests.poisoningSingle, ...requests.poisoningBatch };

    expect((await recordedCall("poisoningSingle", both)).reached).toEqual({
      name: "poisoningBatch",
      request: requests.poisoningBatch,
    });
  });

  test("a body with an unknown array is a single", async () => {
    const more = { ...requests.poisoningSingle, addresses: [], users: [] };

    expect((await recordedCall("poisoningBatch", more)).reached).toEqual({
      name: "poisoningSingle",
      request: requests.poisoningSingle,
    });
  });

  const lacksItems = "target_addresses: at least 1 item across target_addresses and token_addresses";
  const lacksUsers = "user_addresses: field required";
  test.each([
    ["user_addresses", lacksItems],
    ["userAddresses", lacksItems],
    ["target_addresses", lacksUsers],
    ["targetAddresses", lacksUsers],
    ["token_addresses", lacksUsers],
    ["tokenAddresses", lacksUsers],
  ])("a body that names %s is a batch, even if the rest is a single", async (field, detail) => {
    const body = { ...requests.poisoningSingle, [field]: [at("1", evm.real)] };

    expect(await call(app, "poisoningSingle", body)).toMatchObject(mismatchOf("poisoningBatch", detail));
  });
});

describe("a batch", () => {
  test("a batch keeps groups and order, echoes each entry and spans chains", async () => {
    const request = {
      user_addresses: [at("1", evm.real), at("solana", solana.real)],
      target_addresses: [at("56", evm.fake), at("solana", solana.fake), at("eth", evm.stranger), at(1, evm.fake)],
      token_addresses: [at("1", evm.tokenFake), at("56", evm.tokenFake), at("TRON", tron.base58)],
    };

    const answered = await call(app, "poisoningBatch", request);

    expect(answered.http).toBe(200);
    expect(answered.body).toEqual({
      code: "0",
      status: "ok",
      data: {
        target_addresses: [
          { ...at("56", evm.fake), is_poisoning: "1", mimics_user: "1", mimics_exchange: "0" },
          { ...at("solana", solana.fake), is_poisoning: "1", mimics_user: "1", mimics_exchange: "0" },
          { ...at("eth", evm.stranger), ...clean },
          { ...at("1", evm.fake), is_poisoning: "1", mimics_user: "1", mimics_exchange: "0" },
        ],
        token_addresses: [
          {
            ...at("1", evm.tokenFake),
            is_poisoning: "1",
            mimics_top_token: "1",
            matched_token: "Dollar",
            matched_address: evm.token,
          },
          { ...at("56", evm.tokenFake), ...cleanToken },
          { ...at("TRON", tron.base58), ...cleanToken },
        ],
      },
    });
  });

  test("a number that no chain has is the error of its entry, however large", async () => {
    const large = "99999999999999999999";
    const body = JSON.stringify(batch({ target_addresses: [at("N", evm.fake), at("1", evm.fake)] })).replace(
      '"N"',
      large,
    );

    expect(await send(app, { url: path, body })).toMatchObject({
      http: 200,
      body: {
        data: {
          target_addresses: [
            {
              ...at(large, evm.fake),
              error: { code: "unsupported_chain", detail: `unsupported chainId: ${large}` },
            },
            { ...at("1", evm.fake), mimics_user: "1" },
          ],
        },
      },
    });
  });

  test.each(["-1", "1.5", "1e400"])("the number %s is no chain id, and the request is refused", async (number) => {
    const body = JSON.stringify(batch({ target_addresses: [at("N", evm.fake)] })).replace('"N"', number);

    expect(await send(app, { url: path, body })).toMatchObject(
      mismatchOf("poisoningBatch", "target_addresses[0].chain_id: must be a string or a non-negative integer"),
    );
  });

  test("an entry that cannot be read carries its error in place of flags, and other entries are unaffected", async () => {
    const answered = await call(
      app,
      "poisoningBatch",
      batch({
        target_addresses: [at("nowhere", evm.fake), at("1", evm.fake), at("1", "0x12"), at("1", ""), at(0, evm.fake)],
        token_addresses: [at("1", "nonsense"), at("", evm.token), at("1", evm.stranger)],
      }),
    );

    expect(answered.http).toBe(200);
    expect(answered.body).toHaveProperty("data", {
      target_addresses: [
        { ...at("nowhere", evm.fake), error: { code: "unsupported_chain", detail: "unsupported chainId: nowhere" } },
        { ...at("1", evm.fake), is_poisoning: "1", mimics_user: "1", mimics_exchange: "0" },
        {
          ...at("1", "0x12"),
          error: { code: "invalid_address", detail: "must have 40 hex digits after 0x, has 2" },
        },
        { ...at("1", ""), error: { code: "invalid_address", detail: "empty address" } },
        { ...at("0", evm.fake), error: { code: "unsupported_chain", detail: "unsupported chainId: 0" } },
      ],
      token_addresses: [
        { ...at("1", "nonsense"), error: { code: "invalid_address", detail: "must start with 0x" } },
        { ...at("", evm.token), error: { code: "unsupported_chain", detail: "unsupported chainId: " } },
        { ...at("1", evm.stranger), ...cleanToken },
      ],
    });
  });

  test("a batch of bad entries only is still a success", async () => {
    const answered = await call(app, "poisoningBatch", batch({ target_addresses: [at("x", "y"), at("1", "y")] }));

    expect(answered).toMatchObject({ http: 200, body: { code: "0", status: "ok" } });
  });

  test("a token may have a symbol and a name, which are compared and not echoed", async () => {
    const tokens = [
      { ...at("1", evm.real), symbol: "D\u043ellar" },
      { ...at("1", evm.real), name: "Peso" },
    ];

    expect(await call(app, "poisoningBatch", batch({ token_addresses: tokens }))).toMatchObject({
      body: {
        data: {
          token_addresses: [
            { chain_id: "1", address: evm.real, mimics_top_token: "1", matched_token: "Dollar" },
            { chain_id: "1", address: evm.real, ...cleanToken },
          ],
        },
      },
    });
  });

  test.each(["target_addresses", "token_addresses"])(
    "%s alone is enough, and the other group stays empty",
    async (group) => {
      const sent = { user_addresses: [at("1", evm.real)], [group]: [at("1", evm.stranger)] };
      const empty = group === "target_addresses" ? "token_addresses" : "target_addresses";

      const { http, body } = await call(app, "poisoningBatch", sent);

      expect(http).toBe(200);
      expect(body).toMatchObject({ data: { [group]: [at("1", evm.stranger)], [empty]: [] } });
    },
  );

  test.each([
    ["target_addresses", "token_addresses"],
    ["token_addresses", "target_addresses"],
  ])("%s null counts as omitted beside %s", async (group, other) => {
    const rest = { user_addresses: [at("1", evm.real)], [other]: many(1) };

    expect(await received("poisoningBatch", { ...rest, [group]: null })).toEqual({ ...rest, [group]: [] });
  });

  test("text is echoed exactly as it was sent", async () => {
    const odd = ["  ", "\u0000", "0X12", "Ünïcödé 𝒳", '"\\/', "\ud800", "x".repeat(5_000)];

    const { body } = await call(app, "poisoningBatch", batch({ target_addresses: odd.map((text) => at("1", text)) }));

    expect(body).toMatchObject({ data: { target_addresses: odd.map((text) => at("1", text)) } });
  });

  test.each([
    ["no user", { user_addresses: [], target_addresses: many(1) }, "user_addresses: at least 1 item"],
    ["users missing", { target_addresses: many(1) }, "user_addresses: field required"],
    [
      "neither target nor token",
      { user_addresses: many(1), target_addresses: [], token_addresses: [] },
      "target_addresses: at least 1 item across target_addresses and token_addresses",
    ],
    [
      "targets and tokens missing",
      { user_addresses: many(1) },
      "target_addresses: at least 1 item across target_addresses and token_addresses",
    ],
    ["users that are no array", { user_addresses: {}, target_addresses: many(1) }, "user_addresses: must be an array"],
    ["users that are null", { user_addresses: null, target_addresses: many(1) }, "user_addresses: must be an array"],
    [
      "targets that are null without tokens",
      batch({ target_addresses: null }),
      "target_addresses: at least 1 item across target_addresses and token_addresses",
    ],
    [
      "a user that is null",
      { user_addresses: [null], target_addresses: many(1) },
      "user_addresses[0]: must be an object",
    ],
    [
      "a chain that is null",
      batch({ target_addresses: [at(null, evm.real)] }),
      "target_addresses[0].chain_id: must be a string or a non-negative integer",
    ],
    [
      "an address that is null",
      batch({ target_addresses: [at("1", null)] }),
      "target_addresses[0].address: must be a string",
    ],
    ["an item that is text", batch({ target_addresses: ["0x"] }), "target_addresses[0]: must be an object"],
    ["an item that is an array", batch({ target_addresses: [[]] }), "target_addresses[0]: must be an object"],
    ["an item that is null", batch({ token_addresses: [null] }), "token_addresses[0]: must be an object"],
    [
      "an item without a chain",
      batch({ target_addresses: [...many(3), { address: evm.real }] }),
      "target_addresses[3].chain_id: field required",
    ],
    [
      "an item without an address",
      batch({ token_addresses: [...many(1), { chainId: "1" }] }),
      "token_addresses[1].address: field required",
    ],
    [
      "a user without an address",
      { user_addresses: [{ chain_id: "1" }], target_addresses: many(1) },
      "user_addresses[0].address: field required",
    ],
    [
      "an address that is a number",
      batch({ target_addresses: [at("1", 12)] }),
      "target_addresses[0].address: must be a string",
    ],
    [
      "a chain that is a fraction",
      batch({ target_addresses: [at(1.5, evm.real)] }),
      "target_addresses[0].chain_id: must be a string or a non-negative integer",
    ],
  ])("%s is 422 and names the field", async (_what, body, detail) => {
    expect(await call(app, "poisoningBatch", body)).toMatchObject(mismatchOf("poisoningBatch", detail));
  });

  test.each([
    ["chain", at("nowhere", evm.real), "user_addresses[1].chain_id: unsupported chainId: nowhere"],
    ["address", at("1", "0x12"), "user_addresses[1].address: must have 40 hex digits after 0x, has 2"],
  ])("a user with a bad %s is 422, because the answer has no place for its error", async (_what, user, detail) => {
    const body = { user_addresses: [at("1", evm.real), user], target_addresses: many(1) };

    expect(await call(app, "poisoningBatch", body)).toMatchObject(mismatchOf("poisoningBatch", detail));
  });

  test.each([
    [1, 1, 0],
    [1, 0, 1],
    [1, 998, 0],
    [1, 0, 998],
    [1, 999, 0],
    [1, 0, 999],
    [999, 1, 0],
    [999, 0, 1],
    [1, 1, 998],
    [500, 250, 250],
    [333, 333, 334],
  ])("a batch of %i users, %i targets and %i tokens is answered entry by entry", async (users, targets, tokens) => {
    const { http, body } = await call(app, "poisoningBatch", {
      user_addresses: many(users),
      target_addresses: many(targets),
      token_addresses: many(tokens),
    });

    expect(users + targets + tokens).toBeLessThanOrEqual(MAX_BATCH_ITEMS);
    expect(http).toBe(200);
    expect(body).toHaveProperty("data.target_addresses.length", targets);
    expect(body).toHaveProperty("data.token_addresses.length", tokens);
  });

  test.each([
    [1, 1000, 0],
    [1, 0, 1000],
    [1000, 1, 0],
    [1000, 0, 1],
    [1, 1, 999],
    [500, 250, 251],
    [334, 333, 334],
    [1, 5000, 0],
  ])("a batch of %i users, %i targets and %i tokens is too large", async (users, targets, tokens) => {
    const body = {
      user_addresses: many(users),
      target_addresses: many(targets),
      token_addresses: many(tokens),
    };

    expect(await call(app, "poisoningBatch", body)).toMatchObject(
      mismatchOf(
        "poisoningBatch",
        "user_addresses: at most 1000 items across user_addresses, target_addresses and token_addresses",
      ),
    );
  });

  test("a pretty-printed batch of 1000 entries is accepted", async () => {
    const body = JSON.stringify({ user_addresses: many(1), target_addresses: many(999) }, undefined, 4);

    const answered = await send(app, { url: path, body });

    expect(answered.http).toBe(200);
    expect(answered.body).toHaveProperty("data.target_addresses.length", 999);
  });

  test("an entry that is sent twice is answered twice", async () => {
    const { body } = await call(app, "poisoningBatch", batch({ target_addresses: many(2) }));

    const item = { ...at("1", evm.stranger), ...clean };
    expect(body).toHaveProperty("data.target_addresses", [item, item]);
  });
});

describe("a user field that would be ignored", () => {
  const slip = (name: string, meant: string) => `${name}: unknown field; did you mean ${meant}?`;
  const single = { chain_id: "1", address: evm.fake };

  test.each(["user_addres", "userAdress", "user", "wallet_address"])(
    "%s is refused by the single form",
    async (name) => {
      for (const form of ["poisoningSingle", "poisoningQuery"] as const) {
        expect(await call(app, form, { ...single, [name]: evm.real })).toMatchObject(
          mismatchOf(form, slip(name, "user_address")),
        );
      }
    },
  );

  test("the list of users is refused by the query, which has one user", async () => {
    expect(await call(app, "poisoningQuery", { ...single, user_addresses: evm.real })).toMatchObject(
      mismatchOf("poisoningQuery", slip("user_addresses", "user_address")),
    );
  });

  test("tokens is refused by the batch where token_addresses is absent or empty", async () => {
    const sent = batch({ target_addresses: [at("1", evm.fake)], tokens: evm.real });

    for (const more of [{}, { token_addresses: [] }]) {
      expect(await call(app, "poisoningBatch", { ...sent, ...more })).toMatchObject(
        mismatchOf("poisoningBatch", slip("tokens", "token_addresses")),
      );
    }
  });

  test.each(["user_adresses", "users", "targets"])(
    "%s is ignored by a batch that has the right field",
    async (name) => {
      const sent = batch({ target_addresses: [at("1", evm.fake)] });

      expect(await call(app, "poisoningBatch", { ...sent, [name]: evm.real })).toEqual(
        await call(app, "poisoningBatch", sent),
      );
    },
  );

  test.each(["user", "userAdress", "users"])("%s is ignored beside user_address", async (name) => {
    for (const form of ["poisoningSingle", "poisoningQuery"] as const) {
      const sent = { ...single, user_address: evm.real };
      expect(await call(app, form, { ...sent, [name]: evm.stranger })).toEqual(await call(app, form, sent));
    }
  });

  test("a key that is given twice is refused, because the parser would keep only the last", async () => {
    const body = `{"chain_id":"1","address":"${evm.fake}","user_address":"${evm.real}","user_address":""}`;

    expect(await send(app, { ...requestOf("poisoningSingle", single), body })).toMatchObject(
      refusal("invalid request", "user_address: given twice"),
    );
  });

  test("a user that the query gives twice is refused", async () => {
    const url = `${path}?chain_id=1&address=${evm.fake}&user_address=${evm.real}&user_address=${evm.stranger}`;

    expect(await send(app, { ...requestOf("poisoningQuery", single), url })).toMatchObject(
      mismatchOf("poisoningQuery", "user_address: must be a string"),
    );
  });
});
