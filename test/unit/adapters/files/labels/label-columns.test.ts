import { describe, expect, test } from "vitest";
import { JsonRows } from "../../../../../src/adapters/files/labels/json-rows.ts";
import { columnNamed } from "../../../../../src/adapters/files/labels/label-columns.ts";
import { CsvRows } from "../../../../../src/adapters/files/labels/label-rows.ts";
import { imported } from "../../../../support/list-source.ts";

const address = "0x7f367cc41522ce07553e823bf3be79a889debe1b";
const cells = { chain: "evm", address, name: "A party", kind: "protocol" };

function csvOf(names: readonly string[], values: readonly string[]) {
  const rows = new CsvRows();
  return [...rows.push(`${names.join(",")}\n${values.join(",")}\n`), ...rows.end()];
}
const csvWith = (...more: readonly string[]) =>
  csvOf([...Object.keys(cells), ...more], [...Object.values(cells), ...more.map(() => "5")]);
function jsonWith(...more: readonly string[]) {
  const rows = new JsonRows();
  return [
    ...rows.push(JSON.stringify([{ ...cells, ...Object.fromEntries(more.map((key) => [key, "5"])) }])),
    ...rows.end(),
  ];
}

describe("a column is read in any spelling of its name", () => {
  test.each(["riskLevel", "Risk_Level", "risk level", "RISK_LEVEL", "Risk-Level", " risklevel "])("%j", (name) => {
    expect(csvWith(name)).toEqual([{ line: 2, row: expect.objectContaining({ ...cells, risk_level: "5" }) }]);
    expect(jsonWith(name)).toEqual([{ line: 1, row: { ...cells, risk_level: "5" } }]);
  });

  test.each([
    ["fullName", "full_name"],
    ["CHAIN", "chain"],
    ["Address", "address"],
    ["source", undefined],
    ["chain_id", undefined],
  ])("the name %s means %s", (name, column) => {
    expect(columnNamed(name)).toBe(column);
  });

  test("a whole header in the spelling of spreadsheets", async () => {
    const text = `Chain;Address;Name;Kind;Risk Level\nevm;${address};A party;protocol;5\n`;

    expect((await imported("csv", text)).lines).toEqual([`evm,${address},A party,protocol,5,,,,`]);
  });
});

describe("a name that probably means a column is refused, since the row would mean something else", () => {
  test.each([
    ["risk", "risk_level"],
    ["Risk Score", "risk_level"],
    ["severity", "risk_level"],
    ["risk_levle", "risk_level"],
    ["r\u0456sk_level", "risk_level"],
    ["kinds", "kind"],
    ["sanctioned", "kind"],
    ["is_blocked", "kind"],
    ["address2", "address"],
    ["programme", "program"],
    ["fulname", "full_name"],
  ])("the name %s probably means %s", async (name, meant) => {
    const why = new RegExp(`"${name}".* is not read: .*\\b${meant}\\b.*(take|name) `);

    expect(() => csvWith(name)).toThrow(why);
    expect(() => csvWith(name)).toThrow(/^column 5 /);
    expect(() => jsonWith(name)).toThrow(why);
    expect(() => jsonWith(name)).toThrow(/^the key .* of row 1 /);
    await expect(imported("csv", `chain,address,name,kind,${name}\n`)).rejects.toThrow(why);
  });

  test.each([
    ["category", "kind"],
    ["Type", "kind"],
    ["adress", "address"],
  ])("%s in place of %s", (name, meant) => {
    const others = Object.entries(cells).filter(([column]) => column !== meant);
    const rows = new JsonRows();
    const why = `if it says ${meant}, name it ${meant}`;

    expect(() => csvOf([...others.map(([column]) => column), name], [])).toThrow(why);
    expect(() => [...rows.push(JSON.stringify([Object.fromEntries([...others, [name, "x"]])]))]).toThrow(why);
  });
});

test("other names are ignored, and reported at the end", () => {
  const names = ["source", "licence", "data", "token_address", "risk_note", "names"];
  const csv = new CsvRows();
  csv.push(`${[...Object.keys(cells), "risk_level", ...names, ""].join("\t")}\n`);
  const json = new JsonRows();
  const row = { ...cells, risk_level: 1, ...Object.fromEntries(names.map((name) => [name, ""])) };
  expect([...json.push(JSON.stringify([row, { ...row, more: 1 }]))]).toHaveLength(2);

  expect(csv.unread).toEqual(names);
  expect(json.unread).toEqual([...names, "more"]);
});

describe("a column that is given twice is refused, with both positions", () => {
  test("in a header", () => {
    expect(() => csvOf(["chain", "address", "name", "kind", "Kind"], [])).toThrow(
      'kind is given twice, as column 4 "kind" and column 5 "Kind": take out one of them',
    );
    expect(() => csvWith("risk_level", "riskLevel")).toThrow("risk_level is given twice");
  });

  test("under two keys of a row", () => {
    expect(() => jsonWith("Kind")).toThrow(
      'kind is given twice, as the key "kind" of row 1 and the key "Kind" of row 1: take out one of them',
    );
  });

  test("under one key of a row, with any split of the text", () => {
    const text = `[${JSON.stringify(cells)},{"kind":"sanctioned","name":"a:{","kind" :"allowed"}]`;
    for (let at = 0; at < text.length; at++) {
      const rows = new JsonRows();
      expect(() => [...rows.push(text.slice(0, at)), ...rows.push(text.slice(at))]).toThrow(
        'row 2 gives the key "kind" twice: take out one of them',
      );
    }
  });

  test("accepted where no label is read from it", () => {
    const rows = new JsonRows();

    expect(csvWith("source", "source")).toHaveLength(1);
    expect([...rows.push('[{"source":1,"source":2,"more":{"kind":1,"kind":2}}]')]).toHaveLength(1);
  });
});
