import { expect, test } from "vitest";
import { LabelListReader, readLabelList } from "../../../src/labels/label-list.ts";

const A = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const B = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

const numbered = (rows: readonly Record<string, unknown>[]) => rows.map((row, i) => ({ line: i + 2, row }));

test("a bad row is refused with its line and affects no other row", () => {
  const list = readLabelList("l", [
    { line: 2, row: { chain: "1", address: A, name: "a", kind: "exchange" } },
    { line: 3, row: { chain: "foo", address: A, name: "b", kind: "exchange" } },
    { line: 5, unreadable: "row: must be an object" },
    { line: 6, row: { chain: "1", address: B, name: "c", kind: "exchange" } },
  ]);

  expect(list.name).toBe("l");
  expect(list.labels.map(({ name }) => name)).toEqual(["a", "c"]);
  expect(list.refused).toEqual([
    { line: 3, detail: "chain: unknown chain foo" },
    { line: 5, detail: "row: must be an object" },
  ]);
});

test("the first of several labels with one kind and address is kept, per chain for excuses and per family for accusations", () => {
  const { labels, refused } = readLabelList(
    "l",
    numbered([
      { chain: "1", address: A, name: "first", kind: "exchange" },
      { chain: "1", address: A.toUpperCase().replace("0X", "0x"), name: "same again", kind: "exchange" },
      { chain: "56", address: A, name: "other chain", kind: "exchange" },
      { chain: "evm", address: A, name: "all chains", kind: "exchange" },
      { chain: "137", address: A, name: "one of all", kind: "exchange" },
      { chain: "evm", address: A, name: "all again", kind: "exchange" },
      { chain: "1", address: A, name: "other kind", kind: "malicious" },
      { chain: "56", address: A, name: "same key", kind: "malicious" },
      { chain: "evm", address: A, name: "same key on all", kind: "malicious" },
      { chain: "1", address: B, name: "other address", kind: "exchange" },
      { chain: "", address: "a.example", name: "site", kind: "site" },
      { chain: "", address: "A.example", name: "same site", kind: "site" },
    ]),
  );

  const names = ["first", "other chain", "all chains", "other kind", "other address", "site"];
  expect(labels.map(({ name }) => name)).toEqual(names);
  expect(names.filter((_name, at) => labels.isRepeatAt(at))).toEqual(["other chain", "all chains"]);
  expect(names.filter((_name, at) => labels.isEverywhereAt(at))).toEqual(["all chains"]);
  expect(refused).toEqual([]);
});

test("one token address on two chains gives two labels, because tokens are looked up by chain", () => {
  const { labels } = readLabelList(
    "l",
    numbered([
      { chain: "1", address: A, name: "on one", kind: "token" },
      { chain: "56", address: A, name: "on the other", kind: "token" },
      { chain: "1", address: A, name: "twice", kind: "token" },
    ]),
  );

  expect(labels.map(({ name }) => name)).toEqual(["on one", "on the other"]);
});

test("a list may hold originals of families, except for its tokens", () => {
  const reader = new LabelListReader("family");
  for (const row of numbered([
    { chain: "1", address: A, name: "contract", kind: "protocol" },
    { chain: "56", address: A, name: "the same", kind: "protocol" },
    { chain: "1", address: B, name: "token", kind: "token" },
  ]))
    reader.add(row);

  const { labels } = reader.list("l", { endsMidLine: false, unread: [] });

  expect(labels.map((label) => [label.name, "originalInFamily" in label])).toEqual([
    ["contract", true],
    ["the same", true],
    ["token", false],
  ]);
});
