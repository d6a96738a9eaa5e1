import { describe, expect, test } from "vitest";
import type { Family } from "../../../../src/chains/chain.ts";
import { strayAddressesAmong } from "../../../../src/messages/unread/stray-address.ts";

const U = "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91";
const TRON = "TA9SJtzNUWiU6JzyS3kEQuRHRkPsitspmo";
const straysIn = strayAddressesAmong(["address", "user_addresses", "ref"]);
/** The path of the first field that refuses its event. */
const stray = (event: object, family: Family) => straysIn(event, family).find(({ isTelling }) => isTelling)?.path;
const holding = (name: string, value: unknown = U) => stray({ address: U, [name]: value }, "evm");

describe("an unknown field that refers to addresses or parties and holds an address", () => {
  test.each([
    "user_addresses_list",
    "user_adress_list",
    "user_wallet_addresses",
    "userWalletAddresses",
    "user_address_book",
    "user_addresses_evm",
    "user_addresses_(known)",
    "user_known_addresses",
    "customer_addresses",
    "known_recipients",
    "paid_addresses",
    "wallet_list",
    "my_wallets",
    "walets",
    "whitelist",
    "AllowList",
    "white list",
    "whitelsit",
    "contract_adress",
    "counterparties",
    "counterparty",
    "recipient",
    "reciepient",
    "sender",
    "payees",
    "Beneficiary",
    "beneficiaries",
    "contacts",
    "addressbook",
    "trusted",
    "friends",
    "client_addrs",
    "KNOWNRECIPIENTS",
    "user_id",
    "from_address",
    "history",
  ])("is found: %s", (name) => {
    expect(holding(name)).toBe(name);
    expect(holding(name, [U])).toBe(name);
  });

  test.each<[string, unknown]>([
    ["alone", U],
    ["in one case", U.toUpperCase()],
    ["with a checksum that fails", U.replace("A", "a")],
    ["in a list", ["x", U]],
    ["in lists of lists", [[], [[U]]]],
    ["in objects", [{ chain: "eth", address: U }]],
    ["as a key", { [U]: "Alice" }],
    ["before a semicolon", `x;${U};y`],
    ["after a bar", `x|${U}`],
    ["among spaces", `paid ${U} twice`],
    ["after a comma", `x,${U}`],
    ["as JSON in text", `["${U}"]`],
    ["after the name of its chain", `eip155:1:${U}`],
  ])("is found wherever the address stands: %s", (_name, value) => {
    expect(holding("users_known", value)).toBe("users_known");
  });

  test.each<[string, unknown, string]>([
    ["data", { user_addresses: [U] }, "data.user_addresses"],
    ["meta", { known_recipients: [U] }, "meta.known_recipients"],
    ["payload", { event: { customer: { wallets: U } } }, "payload.event.customer"],
    ["items", [{ colour: "red" }, { payees: [U] }], "items[].payees"],
    ["x", { paid: [U] }, "x.paid"],
  ])("is found inside another field too: %s", (name, value, path) => {
    expect(holding(name, value)).toBe(path);
  });

  test("is not found inside a known field", () => {
    expect(stray({ ref: { users: [U] } }, "evm")).toBeUndefined();
  });

  test("is reported first of several fields", () => {
    expect(stray({ colour: "red", contacts: [U], friends: [U] }, "evm")).toBe("contacts");
  });

  test.each([
    ["evm", U],
    ["tron", TRON],
    ["solana", "4yfu48qwim7hGzD3Nphzd2A6ThydzysfKi4wBPFSgnhY"],
    ["bitcoin", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
  ] as const)("is found only in a form of the event's own family: %s", (family, address) => {
    for (const other of ["evm", "tron", "solana", "bitcoin"] as const) {
      // TRON nodes also write the 20 bytes of an address behind 0x.
      const isRead = other === family || (other === "tron" && family === "evm");
      expect(stray({ contacts: address }, other)).toBe(isRead ? "contacts" : undefined);
    }
  });
});

describe("a field with a neutral name that holds an address is reported", () => {
  const told = (event: object) => straysIn(event, "evm").map(({ path }) => path);

  test.each<[string, unknown, readonly string[]]>([
    ["memo", U, ["memo"]],
    ["memo", [U, U], ["memo"]],
    ["x1", `see https://example.org/a/${U}?x`, ["x1"]],
    ["contract", U, ["contract"]],
    ["data", { a: U, b: { c: [U] }, d: 1, e: "none" }, ["data.a", "data.b.c"]],
    ["items", [{ note: U }, { note: U }, { other: U }], ["items[].note", "items[].other"]],
    ["rows", [[U]], ["rows[]"]],
    ["balances", { [U]: 5, [U.toLowerCase()]: 7 }, ["balances"]],
    ["balances", { [U]: { memo: U } }, ["balances", "balances.*.memo"]],
    ["__proto__", U, ["__proto__"]],
    ["", U, [""]],
  ])("%j: %j at %j", (name, value, paths) => {
    const event: unknown = JSON.parse(`{"address":"${U}",${JSON.stringify(name)}:${JSON.stringify(value)}}`);

    expect(straysIn(Object(event), "evm")).toEqual(
      paths.map((path) => ({ path, isTelling: false, mayBeHash: false, meant: "users" })),
    );
  });

  test("as a possible hash where 40 digits lack 0x, and then no name refuses the event", () => {
    const bare = U.slice(2);
    const found = (event: object) => straysIn(event, "evm").map(({ path, ...told }) => [path, told]);
    const [maybe, surely] = [
      { isTelling: false, mayBeHash: true, meant: "users" },
      { isTelling: true, mayBeHash: false, meant: "users" },
    ];

    expect(found({ From: bare, owners: { [bare]: 1 } })).toEqual([
      ["From", maybe],
      ["owners", maybe],
    ]);
    expect(found({ From: [bare, U, bare] })).toEqual([["From", surely]]);
    expect(found({ From: `0x${"0".repeat(24)}${bare}` })).toEqual([["From", surely]]);
  });

  test("beside a field that refuses the event, all in the order of the event", () => {
    expect(told({ memo: U, From: U, data: { to: U, x: U } })).toEqual(["memo", "From", "data.to", "data.x"]);
  });

  test("with the known field that should hold it, where the event has such a field", () => {
    const meant = (fields: readonly string[], name: string) =>
      strayAddressesAmong(fields)({ [name]: U }, "evm").map((stray) => stray.meant);

    expect(meant(["token_address"], "contract_addr")).toEqual(["token"]);
    expect(meant(["token_address"], "From")).toEqual(["users"]);
    expect(meant(["transaction"], "contract_addr")).toEqual(["users"]);
  });

  test("but fields without an address of the family, and known fields, are not", () => {
    expect(told({ address: U, userAddresses: [U], ref: U, memo: TRON, tx: `0x${"ab".repeat(32)}`, n: 5 })).toEqual([]);
  });
});

describe("fields of the producer", () => {
  test.each<[string, unknown]>([
    ["user_id", "42"],
    ["user_id", 42],
    ["user_name", "alice"],
    ["customer_id", "3f6c1f0e-8a52-4b5c-9a55-4ad8f0f4b7c1"],
    ["client_ref", "INV 2026/07"],
    ["sender_bank", "COBADEFFXXX"],
    ["wallet_id", "9d5ed678fe57bcca610140957afab571a7f5b5a0"],
    ["recipient_name", "Bob"],
    ["from_date", "2026-01-31"],
    ["account_id", "42"],
    ["To", "Binance: Hot Wallet 20"],
    ["source", `0x${"ab".repeat(32)}`],
    ["origin", "https://example.org/"],
    ["known_since", "2026-01-01T00:00:00Z"],
    ["address_hash", `0x${"ab".repeat(32)}`],
    ["customer", null],
    ["customer", true],
    ["customer", {}],
    ["contacts", []],
    ["contacts", [TRON]],
  ])("are values without an address of this family: %s %j", (name, value) => {
    expect(holding(name, value)).toBeUndefined();
  });

  test.each([
    "tx",
    "note",
    "contract",
    "tokenContracts",
    "allowance",
    "",
    "42",
    "__proto__",
    "constructor",
    "use",
    "new",
  ])("are fields with an unrelated name: %j", (name) => {
    expect(stray(JSON.parse(`{${JSON.stringify(name)}:"${U}"}`), "evm")).toBeUndefined();
  });

  test("are not the known fields, in either spelling", () => {
    expect(stray({ address: U, user_addresses: [U], userAddresses: [U], ref: U }, "evm")).toBeUndefined();
  });
});

test("a value and a name at the size limit of an event are read quickly", () => {
  expect(holding("users", `${"a,".repeat(131_000)}${U}`)).toBe("users");
  expect(holding(`${"z_".repeat(131_000)}users`)).toBe(`${"z_".repeat(131_000)}users`);
  expect(stray({ users: "1".repeat(262_000) }, "solana")).toBeUndefined();
  expect(stray(JSON.parse(`${'{"a":'.repeat(30)}1${"}".repeat(30)}`), "evm")).toBeUndefined();
});
