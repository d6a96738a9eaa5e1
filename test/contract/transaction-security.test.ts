/**
 * The sections "TRON transaction security", "Errors" (transaction-security rows) and "Limits" of the service's
 * interface. Source: docs/decisions/0001-open-points.md, which lists the open points of the interface.
 */
import { describe, expect, test } from "vitest";
import { routes } from "../../src/api/routes.ts";
import { TransactionSecurityResponse } from "../../src/api/schemas/transaction-security.ts";
import { answer } from "../../src/service/answer.ts";
import { call, evm, mismatchOf, operationsThat, send, service, tron } from "../support/service.ts";
import { changedAt, type Path, shown } from "./paths.ts";
import { received } from "./recorded.ts";
import { answers, requests, tronTransaction } from "./samples.ts";

const app = service();
const transactionAt: Path = ["tron_transactions", 0];
const rawAt: Path = [...transactionAt, "raw_data"];
const contractAt: Path = [...rawAt, "contract", 0];
const valueAt: Path = [...contractAt, "parameter", "value"];
const ownerAt: Path = [...valueAt, "owner"];
const keyAt: Path = [...ownerAt, "keys", 0];
const witnessAt: Path = [...valueAt, "witness"];
const activeAt: Path = [...valueAt, "actives", 0];
const voteAt: Path = [...valueAt, "votes", 0];

/** The sample, with votes. */
const request = changedAt(requests.transactionSecurity, valueAt, (members) => [
  ...members,
  ["votes", [{ vote_address: tron.base58, vote_count: 1 }]],
]);
const withField = (at: Path, field: string, value: unknown) =>
  changedAt(request, at, (members) => [...members.filter(([name]) => name !== field), [field, value]]);
const without = (at: Path, field: string) =>
  changedAt(request, at, (members) => members.filter(([name]) => name !== field));
/** The request as text, with `value` written literally. */
const bodyWith = (at: Path, field: string, value: string) =>
  JSON.stringify(withField(at, field, "MARK")).replace('"MARK"', value);

/** An analysed answer with any result. test/unit/service/tron-transactions tests the results. */
const analysed = { http: 200, body: { code: "0", status: "ok", data: { security: {} } } };
const mismatch = (detail: string) => mismatchOf("transactionSecurity", detail);

/** Every field that the interface calls an integer amount, count, weight or time. */
const numericOptional: readonly (readonly [at: Path, field: string])[] = [
  [valueAt, "call_value"],
  [valueAt, "call_token_value"],
  [valueAt, "token_id"],
  [valueAt, "amount"],
  [rawAt, "fee_limit"],
  [rawAt, "expiration"],
  [rawAt, "timestamp"],
  [valueAt, "balance"],
  [valueAt, "frozen_balance"],
  [valueAt, "frozen_duration"],
  [valueAt, "unfreeze_balance"],
  [valueAt, "lock_period"],
  [valueAt, "quant"],
  [valueAt, "expected"],
  [valueAt, "total_supply"],
  [valueAt, "num"],
  [valueAt, "trx_num"],
  [valueAt, "exchange_id"],
  [valueAt, "proposal_id"],
  [valueAt, "sell_token_quantity"],
  [valueAt, "buy_token_quantity"],
];
const numericRequired: readonly (readonly [at: Path, field: string])[] = [
  [ownerAt, "threshold"],
  [witnessAt, "threshold"],
  [activeAt, "threshold"],
  [keyAt, "weight"],
  [voteAt, "vote_count"],
];

test("a complete request reaches the operation as it was sent", async () => {
  expect(await received("transactionSecurity", request)).toEqual(request);
});

test("simulate is true and dapp_url is absent unless given", async () => {
  expect(await received("transactionSecurity", { tron_transactions: [tronTransaction] })).toEqual({
    tron_transactions: [tronTransaction],
    simulate: true,
  });
});

describe("exactly one transaction", () => {
  test.each([0, 2, 3])("a request with %i transactions is 400", async (count) => {
    const tron_transactions = Array.from({ length: count }, () => tronTransaction);

    expect(await call(app, "transactionSecurity", { tron_transactions })).toMatchObject(
      mismatch("tron_transactions: exactly 1 transaction"),
    );
  });

  test("a request with one transaction is accepted", async () => {
    expect(await call(app, "transactionSecurity", { tron_transactions: [tronTransaction] })).toMatchObject(analysed);
  });

  test("further operations inside the transaction are accepted and forwarded", async () => {
    const second = { type: "TransferContract", parameter: { value: { owner_address: tron.base58, amount: 1 } } };
    const two = changedAt(request, rawAt, (members) =>
      members.map(([name, value]) => [name, name === "contract" ? [...(value as unknown[]), second] : value]),
    );

    expect(await received("transactionSecurity", two)).toEqual(two);
  });
});

describe("required fields", () => {
  test.each<[Path, string]>([
    [[], "tron_transactions"],
    [transactionAt, "raw_data"],
    [rawAt, "contract"],
    [contractAt, "type"],
    [contractAt, "parameter"],
    [[...contractAt, "parameter"], "value"],
    [valueAt, "owner_address"],
    [ownerAt, "threshold"],
    [ownerAt, "keys"],
    [keyAt, "address"],
    [keyAt, "weight"],
    [witnessAt, "threshold"],
    [witnessAt, "keys"],
    [activeAt, "threshold"],
    [activeAt, "keys"],
    [activeAt, "operations"],
    [voteAt, "vote_address"],
    [voteAt, "vote_count"],
  ])("the field at %j %s is required", async (at, field) => {
    expect(await call(app, "transactionSecurity", without(at, field))).toMatchObject(
      mismatch(`${shown([...at, field])}: field required`),
    );
  });
});

describe("optional fields", () => {
  const optional: readonly (readonly [at: Path, field: string])[] = [
    [[], "dapp_url"],
    [[], "simulate"],
    [transactionAt, "visible"],
    [transactionAt, "txID"],
    [transactionAt, "raw_data_hex"],
    [rawAt, "ref_block_bytes"],
    [rawAt, "ref_block_hash"],
    [rawAt, "expiration"],
    [rawAt, "timestamp"],
    [rawAt, "fee_limit"],
    [[...contractAt, "parameter"], "type_url"],
    [valueAt, "contract_address"],
    [valueAt, "data"],
    [valueAt, "call_value"],
    [valueAt, "call_token_value"],
    [valueAt, "token_id"],
    [valueAt, "owner"],
    [valueAt, "witness"],
    [valueAt, "actives"],
    [ownerAt, "type"],
    [ownerAt, "permission_name"],
    [ownerAt, "operations"],
    [activeAt, "type"],
    [valueAt, "votes"],
  ];

  test.each(optional)("%j %s may be left out", async (at, field) => {
    expect(await call(app, "transactionSecurity", without(at, field))).toMatchObject(analysed);
  });

  test.each(optional)("%j %s that is null counts as omitted", async (at, field) => {
    const left = await received("transactionSecurity", without(at, field));

    expect(await received("transactionSecurity", withField(at, field, null))).toEqual(left);
  });

  test("null under one name does not override the other name", async () => {
    const { dapp_url, ...rest } = requests.transactionSecurity;

    expect(await received("transactionSecurity", { dapp_url: null, ...rest, dappUrl: dapp_url })).toEqual(
      requests.transactionSecurity,
    );
  });

  test("an unknown field that is null is forwarded as null", async () => {
    const further = withField(valueAt, "further", null);

    expect(await received("transactionSecurity", further)).toEqual(further);
  });
});

describe("required fields that are null are refused", () => {
  test.each<[Path, string, string]>([
    [[], "tron_transactions", "must be an array"],
    [transactionAt, "raw_data", "must be an object"],
    [rawAt, "contract", "must be an array"],
    [contractAt, "type", "must be a string"],
    [contractAt, "parameter", "must be an object"],
    [[...contractAt, "parameter"], "value", "must be an object"],
    [valueAt, "owner_address", "must be a string"],
    [ownerAt, "keys", "must be an array"],
    [keyAt, "address", "must be a string"],
    [witnessAt, "keys", "must be an array"],
    [activeAt, "keys", "must be an array"],
    [activeAt, "operations", "must be a string"],
    [voteAt, "vote_address", "must be a string"],
  ])("null at %j %s is refused", async (at, field, what) => {
    expect(await call(app, "transactionSecurity", withField(at, field, null))).toMatchObject(
      mismatch(`${shown([...at, field])}: ${what}`),
    );
  });

  test.each<[Path, string]>([
    [[], "tron_transactions"],
    [rawAt, "contract"],
    [valueAt, "actives"],
    [valueAt, "votes"],
    [ownerAt, "keys"],
  ])("%j %s with an item that is null is refused", async (at, field) => {
    expect(await call(app, "transactionSecurity", withField(at, field, [null]))).toMatchObject(
      mismatch(`${shown([...at, field, 0])}: must be an object`),
    );
  });
});

describe("dapp_url", () => {
  test("an empty dapp_url counts as omitted", async () => {
    expect(await call(app, "transactionSecurity", withField([], "dapp_url", ""))).toMatchObject(analysed);
  });

  test.each([
    "https://app.example.org",
    "http://localhost:3000/swap?a=1#b",
    "HTTPS://App.Example.org:443",
    "https://bücher.example/?q",
    "http://[::1]:8080/",
  ])("dapp_url may be %s", async (dapp_url) => {
    expect(await received("transactionSecurity", withField([], "dapp_url", dapp_url))).toHaveProperty(
      "dapp_url",
      dapp_url,
    );
  });
});

describe("contract data", () => {
  test.each(["", "0x", "a9059cbb", "A9059CBB", "0xa9059cbb", "0xA9059CBB"])(
    "contract data may be %j and is forwarded as it was sent",
    async (data) => {
      const sent = withField(valueAt, "data", data);

      expect(await received("transactionSecurity", sent)).toEqual(sent);
    },
  );

  test.each(["a9059", "zz", "0xa9059", "0xzz", "0x0xa9", "0Xa905", "a90x59", " a905", "a905\n"])(
    "contract data is refused as %j",
    async (data) => {
      expect(await call(app, "transactionSecurity", withField(valueAt, "data", data))).toMatchObject(
        mismatch(`${shown([...valueAt, "data"])}: must be hex`),
      );
    },
  );
});

describe("fields of the wrong kind are 400 and named", () => {
  test.each<[Path, string, unknown, string]>([
    [[], "tron_transactions", {}, "must be an array"],
    [[], "simulate", "true", "must be a boolean"],
    [[], "simulate", 1, "must be a boolean"],
    [[], "dapp_url", " ", "must be a full URL, from http:// or https://"],
    [[], "dapp_url", "/swap", "must be a full URL, from http:// or https://"],
    [[], "dapp_url", "app.example.org", "must be a full URL, from http:// or https://"],
    [[], "dapp_url", 1, "must be a string"],
    ...[
      "javascript:alert(1)",
      "app.example.com:443/x",
      "ftp://app.example.org/",
      "file:///etc/passwd",
      "data:text/html,x",
      "http://",
      "https:///swap",
      "https:app.example.org",
      "https:/app.example.org",
      "https://?x",
      "https://exa mple.org/",
      " https://app.example.org",
    ].map((url): [Path, string, string, string] => [
      [],
      "dapp_url",
      url,
      "must be a full URL, from http:// or https://",
    ]),
    [transactionAt, "raw_data", "0a02", "must be an object"],
    [transactionAt, "visible", "true", "must be a boolean"],
    [transactionAt, "txID", 1, "must be a string"],
    [rawAt, "contract", {}, "must be an array"],
    [rawAt, "contract", [], "at least 1 item"],
    [rawAt, "ref_block_bytes", 1, "must be a string"],
    [contractAt, "type", 31, "must be a string"],
    [contractAt, "type", "", "must not be empty"],
    [valueAt, "data", 1, "must be a string"],
    [valueAt, "to_address", 1, "must be a string"],
    [valueAt, "receiver_address", {}, "must be a string"],
    [valueAt, "owner", [], "must be an object"],
    [valueAt, "actives", {}, "must be an array"],
    [valueAt, "votes", {}, "must be an array"],
    [voteAt, "vote_address", 1, "must be a string"],
    [ownerAt, "keys", [], "at least 1 item"],
    [ownerAt, "permission_name", 1, "must be a string"],
    [witnessAt, "keys", [], "at least 1 item"],
    [activeAt, "keys", [], "at least 1 item"],
    [activeAt, "operations", 1, "must be a string"],
  ])("%j %s is refused as %j", async (at, field, value, what) => {
    expect(await call(app, "transactionSecurity", withField(at, field, value))).toMatchObject(
      mismatch(`${shown([...at, field])}: ${what}`),
    );
  });

  test("a transaction that is a text is refused", async () => {
    expect(await call(app, "transactionSecurity", { tron_transactions: ["0a02"] })).toMatchObject(
      mismatch("tron_transactions[0]: must be an object"),
    );
  });
});

describe("numbers are decimal", () => {
  describe.each([...numericOptional, ...numericRequired])("the number at %j %s", (at, field) => {
    test.each(["0x10", "0X10", "0x", "", " 1", "1 ", "-1", "+1", "1.5", "1e3", "1_000", "١"])(
      "the text %j is refused as a number",
      async (value) => {
        expect(await call(app, "transactionSecurity", withField(at, field, value))).toMatchObject(
          mismatch(`${shown([...at, field])}: must be a decimal integer`),
        );
      },
    );

    test.each(["-1", "1.5", "1e-7", "true", "[]", '{"rawJSON":"1"}'])("the JSON %s is refused", async (value) => {
      const body = bodyWith(at, field, value);

      expect(await send(app, { url: routes.transactionSecurity.path, body })).toMatchObject(
        mismatch(`${shown([...at, field])}: must be a decimal integer`),
      );
    });

    test.each(["0", "1", "9007199254740991", "9007199254740993", "1".repeat(78)])(
      "the text %s is accepted as a number",
      async (value) => {
        expect(await received("transactionSecurity", withField(at, field, value))).toEqual(withField(at, field, value));
      },
    );
  });

  test.each(numericOptional)("the number %j %s counts as omitted when it is null", async (at, field) => {
    const left = await received("transactionSecurity", without(at, field));

    expect(await received("transactionSecurity", withField(at, field, null))).toEqual(left);
  });

  test.each(numericRequired)("the number %j %s is refused when it is null", async (at, field) => {
    expect(await call(app, "transactionSecurity", withField(at, field, null))).toMatchObject(
      mismatch(`${shown([...at, field])}: must be a decimal integer`),
    );
  });

  test.each([
    "0",
    "1",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "10000000000000000",
    "18446744073709551615",
    "1".repeat(78),
  ])("the number %s reaches the operation digit by digit", async (digits) => {
    let seen: unknown;
    const operations = operationsThat((sent) => {
      seen = sent;
      return answer(answers.transactionSecurity);
    });
    const body = bodyWith(valueAt, "call_value", digits);

    const answered = await send(service({ operations }), { url: routes.transactionSecurity.path, body });

    expect(answered).toMatchObject({ http: 200 });
    expect(JSON.stringify(seen)).toContain(`"call_value":${digits}`);
  });
});

describe("only bytes, texts and addresses may begin with 0x", () => {
  const HEX_NUMBER = "must not begin with 0x: numbers are decimal";

  test.each<[string, (hex: unknown) => unknown, string]>([
    ["frozen_supply", (hex) => [{ frozen_amount: hex, frozen_days: 1 }], "[0].frozen_amount"],
    ["frozen_supply", (hex) => [{ frozen_amount: 1, frozen_days: hex }], "[0].frozen_days"],
    ["frozenSupply", (hex) => [{ frozenAmount: hex }], "[0].frozenAmount"],
    ["new_contract", (hex) => ({ call_token_value: hex }), ".call_token_value"],
    ["new_contract", (hex) => ({ call_value: hex }), ".call_value"],
    ["new_contract", (hex) => ({ origin_energy_limit: hex }), ".origin_energy_limit"],
    ["new_contract", (hex) => ({ consume_user_resource_percent: hex }), ".consume_user_resource_percent"],
    ["origin_energy_limit", (hex) => hex, ""],
    ["consume_user_resource_percent", (hex) => hex, ""],
    ["first_token_balance", (hex) => hex, ""],
    ["second_token_balance", (hex) => hex, ""],
    ["first_token_id", (hex) => hex, ""],
    [
      "parameters",
      (hex) => [
        { key: 0, value: 1 },
        { key: 1, value: hex },
      ],
      "[1].value",
    ],
    ["parameters", (hex) => [{ key: hex, value: 1 }], "[0].key"],
    ["start_time", (hex) => hex, ""],
    ["end_time", (hex) => hex, ""],
    ["precision", (hex) => hex, ""],
    ["free_asset_net_limit", (hex) => hex, ""],
    ["some_later_amount", (hex) => ({ type: "BigNumber", hex }), ".hex"],
    ["some_later_amounts", (hex) => ["1", [hex]], "[1][0]"],
  ])("a nested number with 0x is refused in %s", async (field, withHex, below) => {
    for (const hex of ["0x10", "0X10", "0x", " 0x10", "-0x10"]) {
      expect(await call(app, "transactionSecurity", withField(valueAt, field, withHex(hex)))).toMatchObject(
        mismatch(`${shown([...valueAt, field])}${below}: ${HEX_NUMBER}`),
      );
    }
    for (const value of ["10", 10]) {
      const sent = withField(valueAt, field, withHex(value));

      expect(await received("transactionSecurity", sent)).toEqual(sent);
    }
  });

  test.each<[Path, string]>([
    [rawAt, "ref_block_num"],
    [contractAt, "Permission_id"],
    [ownerAt, "type"],
    [ownerAt, "id"],
  ])("a number with 0x is refused at %j %s", async (at, field) => {
    expect(await call(app, "transactionSecurity", withField(at, field, "0x2"))).toMatchObject(
      mismatch(`${shown([...at, field])}: ${HEX_NUMBER}`),
    );
    expect(await received("transactionSecurity", withField(at, field, 2))).toEqual(withField(at, field, 2));
  });

  test("a number with 0x in a further operation is refused as well", async () => {
    const value = { owner_address: tron.base58, frozen_supply: [{ frozen_amount: "0x1" }] };
    const contract = [tronTransaction.raw_data.contract[0], { type: "AssetIssueContract", parameter: { value } }];

    expect(await call(app, "transactionSecurity", withField(rawAt, "contract", contract))).toMatchObject(
      mismatch(`${shown([...rawAt, "contract", 1])}.parameter.value.frozen_supply[0].frozen_amount: ${HEX_NUMBER}`),
    );
  });

  test.each<[Path, string, unknown]>([
    [valueAt, "data", "0xa9059cbb"],
    [
      valueAt,
      "new_contract",
      { bytecode: "0x6080", code_hash: "0x12", name: "0xToken", abi: { entrys: [{ name: "0x" }] } },
    ],
    [valueAt, "name", "0x"],
    [valueAt, "abbr", "0X"],
    [valueAt, "description", "0x is the name"],
    [valueAt, "url", "0x.org"],
    [valueAt, "update_url", "0x.org"],
    [valueAt, "account_name", "0xname"],
    [valueAt, "accountName", "0xname"],
    [valueAt, "account_id", "0xname"],
    [ownerAt, "permission_name", "0xowner"],
    [activeAt, "operations", `0x${"A".repeat(41)}=`],
    [rawAt, "data", "0x6d656d6f"],
    [rawAt, "scripts", "0x00"],
    [rawAt, "ref_block_bytes", "0x1234"],
    [rawAt, "ref_block_hash", "0x0123456789abcdef"],
    [[...contractAt, "parameter"], "type_url", "0x"],
    [transactionAt, "txID", "0x12"],
    [transactionAt, "raw_data_hex", "0x0a02"],
  ])("%j %s may be %j", async (at, field, value) => {
    const sent = withField(at, field, value);

    expect(await received("transactionSecurity", sent)).toEqual(sent);
  });
});

describe("the permission bitmap has 32 bytes", () => {
  const base64 = (bytes: number) => Buffer.alloc(bytes, 0x7f).toString("base64");

  test.each([
    ["hex", "7f".repeat(32)],
    ["upper-case hex", "7F".repeat(32)],
    ["Base64", base64(32)],
    ["Base64 without padding", base64(32).replace("=", "")],
  ])("the bitmap may be %s", async (_what, operations) => {
    expect(await call(app, "transactionSecurity", withField(activeAt, "operations", operations))).toMatchObject(
      analysed,
    );
  });

  test.each([
    ["hex of 31", "7f".repeat(31)],
    ["hex of 33", "7f".repeat(33)],
    ["hex of 31 and a half", "7f".repeat(32).slice(1)],
    ["hex with 0x", `0x${"7f".repeat(32)}`],
    ["hex with 0x in place of a byte", `0x${"7f".repeat(31)}`],
    ["text that is no hex", "g".repeat(64)],
    ["Base64 of 31", base64(31)],
    ["Base64 of 33", base64(33)],
    ["Base64 of 31 without padding", base64(31).replaceAll("=", "")],
    ["Base64 with one = too many", `${base64(32)}=`],
    ["nothing", ""],
  ])("the bitmap may not be %s", async (_what, operations) => {
    expect(await call(app, "transactionSecurity", withField(activeAt, "operations", operations))).toMatchObject(
      mismatch(`${shown([...activeAt, "operations"])}: must be a 32-byte bitmap in hex or Base64`),
    );
  });
});

describe("permissions as the client library writes them", () => {
  test.each([
    ["an active whose type is a word", activeAt, "type", "Active"],
    ["an owner without a type", ownerAt, "type", undefined],
    ["no actives", valueAt, "actives", []],
  ] as const)("the permission is accepted: %s", async (_what, at, field, value) => {
    expect(await call(app, "transactionSecurity", withField(at, field, value))).toMatchObject(analysed);
  });

  test("an empty owner permission is refused", async () => {
    expect(await call(app, "transactionSecurity", withField(valueAt, "owner", {}))).toMatchObject(
      mismatch(`${shown(ownerAt)}.threshold: field required`),
    );
  });
});

describe("addresses", () => {
  test.each([
    ["Base58", tron.base58],
    ["21-byte hex", tron.hex],
    ["21-byte hex in upper case", tron.hex.toUpperCase()],
  ])("an address may be %s", async (_what, address) => {
    expect(await call(app, "transactionSecurity", withField(valueAt, "owner_address", address))).toMatchObject(
      analysed,
    );
  });

  test.each<[Path, string]>([
    [valueAt, "owner_address"],
    [valueAt, "contract_address"],
    [valueAt, "to_address"],
    [valueAt, "receiver_address"],
    [valueAt, "account_address"],
    [valueAt, "some_later_address"],
    [voteAt, "vote_address"],
    [keyAt, "address"],
    [[...witnessAt, "keys", 0], "address"],
    [[...activeAt, "keys", 0], "address"],
  ])("an invalid address at %j %s is 400 and named", async (at, field) => {
    for (const address of ["", "T", evm.real, tron.hex.slice(2), `${tron.base58}1`, tron.base58.toLowerCase()]) {
      const answered = await call(app, "transactionSecurity", withField(at, field, address));

      expect(answered).toMatchObject({ http: 400, body: { code: "-1", status: "invalid address" } });
      const { detail } = answered.body as { detail: string };
      expect(detail.startsWith(`${shown([...at, field])}: `), detail).toBe(true);
    }
  });
});

test.each<[string, (address: string) => unknown, string]>([
  ["new_contract", (origin_address) => ({ origin_address }), ".origin_address"],
  ["new_contract", (originAddress) => ({ originAddress }), ".originAddress"],
  ["vote_address", (address) => [tron.hex, address], "[1]"],
])("an address is checked in any position: %s", async (field, withAddress, below) => {
  const path = `${shown([...valueAt, field])}${below}`;

  expect(await call(app, "transactionSecurity", withField(valueAt, field, withAddress("junk")))).toMatchObject({
    http: 400,
    body: { status: "invalid address", detail: `${path}: must start with T, or with 41 in hex` },
  });
  expect(await call(app, "transactionSecurity", withField(valueAt, field, withAddress(tron.hex)))).toMatchObject(
    analysed,
  );
});

test("the path in a detail has the documented spelling, whatever the request's spelling is", async () => {
  const body = {
    tronTransactions: [{ rawData: { contract: [{ type: "T", parameter: { value: { callValue: "0x1" } } }] } }],
  };

  expect(await call(app, "transactionSecurity", body)).toMatchObject(
    mismatch("tron_transactions[0].raw_data.contract[0].parameter.value.owner_address: field required"),
  );
});

describe("the answer", () => {
  const security = { overall_risk_level: "x", risk_details: [] };
  const parses = (fields: object) =>
    TransactionSecurityResponse.safeParse({ code: "0", status: "ok", data: { security: { ...security, ...fields } } })
      .success;

  test.each([
    [0, "ALLOW"],
    [1, "ALLOW"],
    [2, "WARN"],
    [3, "WARN"],
    [4, "BLOCK"],
    [5, "BLOCK"],
  ])("the answer may be %i %s", (overall_score, recommended_action) => {
    expect(parses({ overall_score, recommended_action })).toBe(true);
  });

  test.each([
    [-1, "ALLOW"],
    [6, "BLOCK"],
    [1.5, "ALLOW"],
    ["1", "ALLOW"],
    [0, "allow"],
    [0, "DENY"],
    [0, null],
  ])("the answer is never %j %j", (overall_score, recommended_action) => {
    expect(parses({ overall_score, recommended_action })).toBe(false);
  });
});
