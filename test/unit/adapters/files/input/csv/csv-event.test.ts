import { describe, expect, test } from "vitest";
import { csvRow } from "../../../../../../src/adapters/files/input/csv/csv-cells.ts";
import { eventFields } from "../../../../../../src/adapters/files/input/csv/csv-event.ts";

const none = { users: [] };

describe("the cells of a line", () => {
  test.each<[string, readonly string[]]>([
    ["a,b,c", ["a", "b", "c"]],
    ["a", ["a"]],
    ["", [""]],
    ["a,,c,", ["a", "", "c", ""]],
    [" a , b ", [" a ", " b "]],
    ["a,b\r", ["a", "b"]],
    ['"a,b",c', ["a,b", "c"]],
    ['"say ""hi""",c', ['say "hi"', "c"]],
    ['"",c', ["", "c"]],
    ['"a",b\r', ["a", "b"]],
    ['"a\rb",c', ["a\rb", "c"]],
  ])("%j", (line, cells) => {
    expect(csvRow(line, ",")).toEqual({ ok: true, value: cells });
  });

  test.each([
    ['"a,b', "not valid CSV: csv quote not closed"],
    ['"a"b,c', "not valid CSV: csv invalid closing quote"],
    ['a"b,c', "not valid CSV: invalid opening quote"],
    ['"a"\r"b"', "not valid CSV: 2 records in one line"],
    ['"a\rb",c\rd\re,f', "not valid CSV: 3 records in one line"],
  ])("%j is not valid CSV", (line, detail) => {
    expect(csvRow(line, ",")).toEqual({ ok: false, detail });
  });
});

test.each<[";" | "\t", string, readonly string[]]>([
  [";", "a;b,c;", ["a", "b,c", ""]],
  [";", '"a;b";c', ["a;b", "c"]],
  ["\t", "\ta\tb;c", ["", "a", "b;c"]],
  ["\t", '"a\tb"\tc', ["a\tb", "c"]],
])("cells may be separated by %j: %j", (delimiter, line, cells) => {
  expect(csvRow(line, delimiter)).toEqual({ ok: true, value: cells });
});

describe("the fields of a row", () => {
  test("are named by the header, without the white space around the names", () => {
    expect(eventFields(["chain_id", "address", "ref"], ["1", " 0xabc ", "x y"], none)).toEqual({
      type: "address",
      chain_id: "1",
      address: "0xabc",
      ref: "x y",
    });
  });

  test.each([
    ["chain", "chain_id"],
    ["chainId", "chain_id"],
    ["tokenAddress", "token_address"],
    ["token", "token_address"],
    ["Token Address", "token_address"],
    ["network", "chain_id"],
    ["Chain ID", "chain_id"],
    ["constructor", "constructor"],
    ["occurredAt", "occurred_at"],
  ])("column %s is %s", (column, field) => {
    expect(eventFields([column], ["x"], none)).toEqual({ type: "address", [field]: "x" });
  });

  test.each([
    "user_addresses",
    "userAddresses",
    "user_address",
    "userAddress",
    "user addresses",
    "User-Addresses",
    "users",
    "Users",
    "user",
  ])("column %s holds several addresses", (column) => {
    expect(eventFields([column], ["a; b|c"], none)).toEqual({ type: "address", user_addresses: ["a", "b", "c"] });
  });

  test.each(["a;b", "a|b", "a b", " a \t b ", "a\nb", "a, b", "a; b;", ";a||b"])(
    "the addresses in a cell may be separated as in %j",
    (cell) => {
      expect(eventFields(["users"], [cell], none)).toEqual({ type: "address", user_addresses: ["a", "b"] });
    },
  );

  test("checks are also a list", () => {
    expect(eventFields(["checks"], ["classification;poisoning"], none)).toMatchObject({
      checks: ["classification", "poisoning"],
    });
  });

  test("empty and missing cells are absent", () => {
    expect(eventFields(["chain_id", "address", "tenant"], ["", " "], none)).toEqual({ type: "address" });
  });

  test("a separator at the end of a list adds no address", () => {
    expect(eventFields(["user_addresses"], ["a; b; "], none)).toMatchObject({ user_addresses: ["a", "b"] });
  });

  test("a row may set its own type", () => {
    expect(eventFields(["type"], ["transaction"], none)).toEqual({ type: "transaction" });
  });

  test("a column Type of an export does not set the type of the event", () => {
    expect(eventFields(["Type"], ["Deposit"], none)).toEqual({ type: "address", "Type (not read)": "Deposit" });
  });

  test("defaults fill the empty fields of a row", () => {
    const defaults = { chain: "eth", users: ["u"], token: "t" };

    expect(eventFields(["address", "chain_id"], ["a", ""], defaults)).toEqual({
      type: "address",
      address: "a",
      chain_id: "eth",
      user_addresses: ["u"],
      token_address: "t",
    });
  });

  test.each([
    ["chain_id", "user_addresses", "token_address"],
    ["chainId", "userAddresses", "tokenAddress"],
    ["chain", "userAddress", "token"],
  ])("a row overrides the defaults, and its users are added to theirs, in the spelling %s", (...names) => {
    const fields = eventFields(names, ["bsc", "v", "w"], { chain: "eth", users: ["u"], token: "t" });

    expect(fields).toEqual({ type: "address", chain_id: "bsc", user_addresses: ["u", "v"], token_address: "w" });
  });
});
