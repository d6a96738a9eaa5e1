import { expect, test } from "vitest";
import { importReport } from "../../../../src/cli/labels/import-report.ts";
import { ImportTally } from "../../../../src/labels/import/import-tally.ts";
import type { ListEntry } from "../../../../src/labels/import/list-entry.ts";

const evm = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";
const bitcoin = "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h";
const row = { chain: "evm", address: evm, name: "A", kind: "sanctioned" };

function tallied(entries: readonly ListEntry[]): ImportTally {
  const tally = new ImportTally();
  for (const entry of entries) tally.take(entry);
  return tally;
}

test("the report names the unread columns", () => {
  const tally = tallied([{ line: 1, row }]);
  tally.unread = ["source", "a\u001b"];

  expect(importReport("list.csv", tally)).toContain("\n  columns that are not read: source, a\uFFFD\n");
});

test("the report shows counts, chains, and the first lines of each reason", () => {
  const entries: ListEntry[] = [
    { line: 1, row, isFromLink: true },
    { line: 2, row: { ...row, chain: "bitcoin", address: bitcoin, kind: "malicious" }, publishedFor: "BCH" },
    { line: 3, row: { chain: "", address: "a.example", name: "Page", kind: "site" } },
    { line: 4, unscreened: "LTC" },
    { line: 5, unscreened: "XMR" },
    { line: 6, unscreened: "XMR" },
    { line: 7, row: { ...row, address: "0x12" } },
    { line: 8, row: { ...row, chain: "eth", kind: "exchange" } },
    { line: 9, row: { ...row, chain: "56", kind: "bridge" }, publishedFor: "ETC" },
    ...Array.from({ length: 7 }, (_, i) => ({ line: 10 + i, row: {} })),
  ];

  expect(importReport("list.xml", tallied(entries)).split("\n")).toEqual([
    "list.xml: 16 rows: 5 labels, 0 given twice, 8 refused, 3 on chains that are not screened",
    "  labels: 1 sanctioned, 1 malicious, 1 site, 1 exchange, 1 bridge; 1 EVM, 1 Bitcoin, 1 site, 1 Ethereum, 1 BNB Smart Chain",
    "  not screened: 2 XMR, 1 LTC",
    "  published for one chain and taken for another, where the same key owns the address: 1 BCH as Bitcoin, 1 ETC as BNB Smart Chain",
    "  taken from links to explorers: 1",
    "  refused: 1 × address: must have 40 hex digits after 0x, has 2 (line 7)",
    "  refused: 7 × kind: missing (lines 10, 11, 12, 13, 14, …)",
    "  --kind says it of rows that name none",
    "",
  ]);
});

test("a reason or currency from a list cannot control a terminal", () => {
  const tally = tallied([
    { line: 1, unreadable: "row: \u001b[2J" },
    { line: 2, unscreened: "\u202eX" },
  ]);

  expect(importReport("f", tally)).not.toMatch(/[\p{Cc}\p{Cf}](?<!\n)/u);
});

test("reasons above the limit are only counted", () => {
  const tally = tallied(Array.from({ length: 60 }, (_, i) => ({ line: i + 1, unreadable: `row: ${i}` })));

  expect(importReport("f", tally)).toContain("  refused: 10 for further reasons\n");
});
