import { describe, expect, test } from "vitest";
import { delimiterOf } from "../../../../../../src/adapters/files/input/csv/csv-columns.ts";
import { readHeader } from "../../../../../../src/adapters/files/input/csv/csv-header.ts";
import { ConfigInvalidError, InputUnreadableError } from "../../../../../../src/kernel/errors.ts";

test.each<[string, string, readonly string[]]>([
  ["address,chain", ",", ["address", "chain_id"]],
  ["address", ",", ["address"]],
  ["\uFEFF Address , Chain ID ,Users\r", ",", ["address", "chain_id", "user_addresses"]],
  ['"address","token"', ",", ["address", "token_address"]],
  ["address;network", ";", ["address", "chain_id"]],
  ['"address";"user addresses"', ";", ["address", "user_addresses"]],
  ["address\tuser", "\t", ["address", "user_addresses"]],
  ["\taddress\t", "\t", ["no. 1", "address", "no. 3"]],
  ["address,note (a;b)", ",", ["address", "note (a;b)"]],
])("%j is separated by %j and means %j", (line, delimiter, fields) => {
  expect(readHeader(line)).toMatchObject({ delimiter, fields });
});

test.each([
  ["address,chain", ","],
  ["address;chain", ";"],
  ["chain\tAddress", "\t"],
  ["address", undefined],
  ["0xabc", undefined],
  ["users;wallet", undefined],
])("%j is recognised as separated by %j", (line, delimiter) => {
  expect(delimiterOf(line)).toBe(delimiter);
});

test("unread columns with equal names keep their positions, and get distinct names", () => {
  expect(readHeader("memo,address,Memo,memo").fields).toEqual(["memo", "address", "Memo", "memo (no. 4)"]);
  expect(readHeader("address,a\u0000,a\u0000").fields).toEqual(["address", "a\u0000", "a\u0000 (no. 3)"]);
});

test("a header with semicolons and without a column of addresses is recognised by its columns", () => {
  expect(() => readHeader("Chain;Amount;Wallet address")).toThrow("it has: Chain, Amount, Wallet address");
});

describe("a column that is to be ignored", () => {
  test.each<[string, readonly string[], readonly (string | undefined)[]]>([
    ["address,From (Address),To", ["From (Address)"], ["address", undefined, "To"]],
    ["address,FROM,fromDate", ["from", "from_date"], ["address", undefined, undefined]],
    // These columns would be refused otherwise: as probable typing errors, as a repeated name, or as several columns in
    // one.
    ["address,Wallet,Token Contract", ["wallet", "token contract"], ["address", undefined, undefined]],
    ["address,memo,Memo", ["memo"], ["address", undefined, undefined]],
    ['address,"users;chain"', ["users;chain"], ["address", undefined]],
    [",address", ["no. 1"], [undefined, "address"]],
    ["address,memo", [], ["address", "memo"]],
  ])("%j without %j", (line, ignored, fields) => {
    expect(readHeader(line, ignored).fields).toEqual(fields);
  });

  test.each([
    ["adress", "--ignore adress: the CSV has no such column; it has: chain, address, User"],
    ["Chain", "--ignore Chain: the column is read, as chain_id: leave the flag out"],
    ["user", "--ignore user: the column is read, as user_addresses: leave the flag out"],
    ["address", "--ignore address: the column is read, as address: leave the flag out"],
  ])("exists and is not read: %s", (name, message) => {
    expect(() => readHeader("chain,address,User", [name])).toThrow(new ConfigInvalidError(message));
  });
});

/** The advice to map the columns, with the likeliest field of each. */
const mapping = (names: readonly string[]) => {
  const field: Readonly<Record<string, string>> = {
    chain: "chain_id",
    Chain: "chain_id",
    Wallet: "user_addresses",
    Wallets: "user_addresses",
    Counterparty: "address",
    From: "user_addresses",
    To: "address",
  };
  const likely = names.map((name) => `${name} -> ${field[name]}?`);
  return `; or map the columns: weir map suggest prints a mapping to start from${likely.length === 0 ? "" : `; likely: ${likely.join(", ")}`}`;
};

const refusal = (line: string) => {
  try {
    return readHeader(line);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(InputUnreadableError);
    return (thrown as Error).message;
  }
};

describe("a header with an ambiguous column is refused, with the remedy", () => {
  test.each([
    ["address,user_adresses", "user_adresses", "user_addresses"],
    ["address,Wallets", "Wallets", "user_addresses"],
    ["adress,chain", "adress", "address"],
    ["target address,chain", "target address", "address"],
    ["address,blockchain", "blockchain", "chain_id"],
    ["address,token adress", "token adress", "token_address"],
    ["address,users\u001b[1\u0007", "users\uFFFD[1\uFFFD", "user_addresses"],
  ])("%j: %j is probably %j", (line, name, meant) => {
    expect(refusal(line)).toBe(
      `the CSV header has an unknown column "${name}": if you mean "${meant}", name it so; if not, choose another name, or leave it out by --ignore`,
    );
  });

  test.each(["chain,Wallet", "Chain,Wallet,Counterparty", "chain,Wallets"])(
    "%j has no column of addresses, and no column is guessed to hold users before it has one",
    (line) => {
      const has = line.replaceAll(",", ", ");
      expect(refusal(line)).toBe(
        `the CSV header has no column "address"; it has: ${has}. Name the column of the addresses "address"${mapping(line.split(","))}`,
      );
    },
  );

  test("an explorer's export with both ends of a payment gets a hint about the address column", () => {
    expect(refusal("Txhash,From,To,Value")).toBe(
      `the CSV header has no column "address"; it has: Txhash, From, To, Value. Name the column of the addresses "address": for withdrawals To, for deposits From, and the other "user_addresses"${mapping(["From", "To"])}`,
    );
  });

  test.each([
    ["address;users,chain", "users,chain"],
    ["address,users;token", "users;token"],
    ["address|users", "address|users"],
    ["address\tuser_adresses,x", "user_adresses,x"],
    ["address,chain\tusers", "chain\uFFFDusers"],
  ])("%j: %j reads like several columns", (line, name) => {
    expect(refusal(line)).toBe(
      `the CSV header has a column "${name}" that reads like several: separate all columns by commas`,
    );
  });

  test.each([
    ["address,chain,address", "address"],
    ["address,chain,chainId", "chain_id"],
    ["address,user,users", "user_addresses"],
  ])("%j names %j twice", (line, name) => {
    expect(refusal(line)).toBe(`the CSV header names the column "${name}" twice: rename or take out one of them`);
  });

  test.each([`address,chain\r0xabc,1`, `address,"ch\rain"`, `# exported\raddress,chain`])(
    "a carriage return inside: %j",
    (line) => {
      expect(refusal(line)).toBe("the CSV header holds a carriage return: end every line with LF, or with CR LF");
    },
  );

  test("unknown names are shown clipped and without control characters", () => {
    expect(refusal(`\u001b[2J,${"x".repeat(100)}`)).toBe(
      `the CSV header has no column "address"; it has: \uFFFD[2J, ${"x".repeat(54)}.... Name the column of the addresses "address"${mapping([])}`,
    );
  });
});
