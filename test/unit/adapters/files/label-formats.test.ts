import { expect, test } from "vitest";
import { labelFormats } from "../../../../src/adapters/files/label-formats.ts";
import { importReport, labelFile } from "../../../../src/cli/label-report.ts";
import { readLabelList, type SourceRow } from "../../../../src/labels/label-list.ts";

const binance = "0x28C6c06298d514Db089934071355E5743bf21d60";
const tether = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const tron = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

/** The labels that a format gives, as lines of the file that is written, and what was refused. */
function imported(rows: readonly SourceRow[]) {
  const list = readLabelList("file", rows);
  return { lines: labelFile(list).trimEnd().split("\n").slice(1), refused: list.refused };
}

test("explorer labels: a name for each address, all of the kind that the caller says", () => {
  const text = JSON.stringify({ [binance.toLowerCase()]: "Binance 14", "0x12": "broken", [tether]: 7 });

  expect(imported(labelFormats["explorer-labels"](text, { kind: "exchange" }))).toEqual({
    lines: [`1,${binance},Binance 14,exchange,`],
    refused: [
      { line: 2, detail: "address: must have 40 hex digits after 0x, has 2" },
      { line: 3, detail: "row: must be a name, or an object with name and labels" },
    ],
  });
});

test("explorer labels: tags tell the kind, and nothing is guessed where they do not", () => {
  const text = JSON.stringify({
    [binance]: { name: "Binance 14", labels: ["binance"] },
    [tether]: { name: "", labels: ["phish-hack"] },
    "0x8315177aB297bA92A06054cE80a67Ed4DBd7ed3a": { name: "Somebody", labels: ["take-action"] },
  });

  expect(imported(labelFormats["explorer-labels"](text, { chain: "56" }))).toEqual({
    lines: [`56,${binance},Binance 14,exchange,`, `56,${tether},phish-hack,malicious,`],
    refused: [{ line: 3, detail: "kind: none of the tags tells it: take-action" }],
  });
});

test("tables of exchange wallets: chains by their usual names, the distinct name before the exchange's", () => {
  const text = `blockchain,address,cex_name,distinct_name,added_by
ethereum,${binance},Binance,"Binance 14, hot",somebody
avalanche_c,${binance.toLowerCase()},Binance,,somebody
tron,${tron},OKX,,somebody
moon,${tether},Nobody,,somebody
`;

  expect(imported(labelFormats["cex-table"](text))).toEqual({
    lines: [
      `1,${binance},"Binance 14, hot",exchange,`,
      `43114,${binance},Binance,exchange,`,
      `tron,${tron},OKX,exchange,`,
    ],
    refused: [{ line: 5, detail: "chain: unknown chain moon" }],
  });
});

test.each([
  ["lines", `# SDN list\n${tron}\n\nTR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6x\n`],
  ["JSON", JSON.stringify([tron, 5])],
])("address lists as %s", (_how, text) => {
  const { lines, refused } = imported(labelFormats["address-list"](text, { chain: "tron" }));

  expect(lines).toEqual([`tron,${tron},sanctioned address,sanctioned,`]);
  expect(refused.length).toBe(1);
});

test("token lists by the Uniswap schema, the full name beside the symbol", () => {
  const tokens = [{ chainId: 1, address: tether, symbol: "USDT", name: "Tether USD", decimals: 6 }, "none"];

  expect(imported(labelFormats["token-list"](JSON.stringify({ name: "A list", tokens })))).toEqual({
    lines: [`1,${tether},USDT,token,Tether USD`],
    refused: [{ line: 2, detail: "row: must be an object" }],
  });
});

test.each([
  ["explorer-labels", "[]", "must be an object"],
  ["explorer-labels", "{", "JSON"],
  ["cex-table", "chain,address\n", "no column blockchain in the header"],
  ["token-list", "{}", "no array tokens"],
  ["csv", "a,b\n", "no column chain, address, name, kind in the header"],
] as const)("%s of %j is refused whole", (format, text, why) => {
  expect(() => labelFormats[format](text, {})).toThrow(why);
});

test("what is written is read again as it was, names with commas and quotes included", () => {
  const rows = [{ line: 1, row: { chain: "1", address: tether, name: 'A "B", C #1', kind: "token" } }];
  const again = readLabelList("again", labelFormats.csv(labelFile(readLabelList("file", rows))));

  expect(again.labels.map(({ name }) => name)).toEqual(['A "B", C #1']);
  expect(again.refused).toEqual([]);
});

test("the report counts rows, those given twice and those refused, and says why", () => {
  const row = { chain: "1", address: tether, name: "USDT", kind: "token" };
  const rows = [
    { line: 1, row },
    { line: 2, row },
    ...Array.from({ length: 51 }, (_, i) => ({ line: i + 3, row: {} })),
  ];
  const report = importReport(readLabelList("f.csv", rows), rows.length).split("\n");

  expect(report[0]).toBe("f.csv: 53 rows: 1 labels, 1 given twice, 51 refused");
  expect(report[1]).toBe("  f.csv:3: kind: missing");
  expect(report.slice(51)).toEqual(["  and 1 more", "  --kind says it of rows that name none", ""]);
});
