import { describe, expect, test } from "vitest";
import { mapColumns } from "../../../../src/messages/mapping/map-columns.ts";
import { MAPPING_SCHEMA, type Mapping, mappingFaults } from "../../../../src/messages/mapping/mapping-schema.ts";

const address = "0x1e227979f0b5bc691a70deaed2e0f39a6f538fd5";
const user = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const withFields = (fields: Mapping["fields"], others: Partial<Mapping> = {}): Mapping => ({
  schema: MAPPING_SCHEMA,
  fields,
  ...others,
});
const read = (mapping: Mapping, names: readonly string[], cells: readonly string[], chain?: string) => {
  const mapped = mapColumns(mapping, names, { chain, ignored: [] });
  if (!mapped.ok) return mapped.detail;
  const event = mapped.value.event(cells, 2, undefined);
  return event.ok ? event.value : event.detail;
};

test("columns, constants, tables and lists fill an event", () => {
  const mapping = withFields({
    chain_id: { from: "Network", table: { ERC20: 1, TRX: "tron" } },
    address: { from: ["To", "Recipient"] },
    user_addresses: ["From", { from: "Others", optional: true }, { value: user }],
    checks: { value: ["payment"] },
    occurred_at: "Time",
    ref: "Memo",
  });

  expect(
    read(
      mapping,
      ["Network", "recipient", "FROM", "Others", "Time", "Memo"],
      ["erc20", address, user, `${address};${user}`, "1717281411", "hi"],
    ),
  ).toEqual({
    type: "address",
    chain_id: "1",
    address,
    user_addresses: [user, address],
    checks: ["payment"],
    occurred_at: "2024-06-01T22:36:51.000Z",
    ref: "hi",
  });
});

test("every missing column is named at once, with the likeliest field of those that are there", () => {
  const mapping = withFields({ chain_id: "Net", address: { from: ["Dest", "Target"] }, tenant: "Desk" });

  expect(read(mapping, ["Blockchain", "To", "Amount"], [])).toBe(
    "the file lacks columns that the mapping reads: chain_id <- Net; address <- Dest or Target; tenant <- Desk; the file has: Blockchain, To, Amount; likely: Blockchain -> chain_id?, To -> address?",
  );
});

test("every field without a value is named at once", () => {
  const mapping = withFields({ chain_id: "Net", address: "To" });

  expect(read(mapping, ["Net", "To"], ["", " "])).toBe("the mapping finds no value for chain_id and address");
});

describe("addresses that the mapping does not read", () => {
  const names = ["To", "user_addresses", "memo"];

  test("refuse the event under a telling name, and a field's own name is no excuse", () => {
    expect(read(withFields({ address: "To" }), names, [address, user, ""], "1")).toBe(
      "user_addresses: unknown field that holds an address; put addresses the user knows in user_addresses, or rename it to ref",
    );
  });

  test("are found in each of several columns with one name", () => {
    const detail = /^(?:Payer|__proto__)(?: \(no\. \d\))?: unknown field that holds an address/;
    const mapping = withFields({ address: "To" });
    expect(read(mapping, ["Payer", "To", "Payer"], [user, address, ""], "1")).toMatch(detail);
    expect(read(mapping, ["Payer", "To", "Payer"], ["", address, user], "1")).toMatch(detail);
    expect(read(mapping, ["To", "to"], [address, user], "1")).toMatch(/^to: unknown field that holds an address/);
  });

  test("pass where the mapping ignores their column on purpose", () => {
    const mapping = withFields({ address: "To" }, { ignore: ["user_*"] });
    expect(read(mapping, names, [address, user, ""], "1")).toEqual({ type: "address", chain_id: "1", address });
  });
});

test("a mapping without a chain is refused before any row", () => {
  expect(read(withFields({ address: "To" }), ["To"], [address])).toBe(
    "neither the mapping nor --chain names the chain: add --chain, for example --chain eth",
  );
});

test("an operator may leave out a column that the mapping reads, unless nothing is left for a field", () => {
  const mapping = withFields({ address: { from: ["To", "Dest"] } });
  const options = (ignored: readonly string[]) => ({ chain: "1", ignored });

  expect(mapColumns(mapping, ["To", "Dest"], options(["to"])).ok).toBe(true);
  expect(mapColumns(mapping, ["To", "Dest"], options(["To", "Dest"]))).toMatchObject({ ok: false });
});

test.each<[string, unknown, readonly string[]]>([
  ["no schema", { fields: { address: "To" } }, [`schema: must be ${MAPPING_SCHEMA}`]],
  ["nothing to fill", { schema: MAPPING_SCHEMA }, ["mapping: needs variants, fields, transfer or envelope"]],
  [
    "an unknown field and a list for one value",
    { schema: MAPPING_SCHEMA, fields: { adress: "To", address: ["To", "Dest"] } },
    [
      expect.stringMatching(/^fields\.adress: no field of an event: .*address/) as unknown as string,
      "fields.address: holds one value: name the sources as {from: [...]}",
    ],
  ],
])("a mapping with %s is refused", (_what, mapping, faults) => {
  expect(mappingFaults(mapping)).toEqual(faults);
});
