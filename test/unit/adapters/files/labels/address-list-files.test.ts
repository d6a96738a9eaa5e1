import { unlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { AddressListFiles } from "../../../../../src/adapters/files/labels/address-list-files.ts";
import { findChain } from "../../../../../src/chains/registry.ts";
import { bundled } from "../../../../../src/cli/program/package-root.ts";
import { atOnce } from "../../../../../src/kernel/async.ts";
import { sha256 } from "../../../../../src/kernel/hash.ts";
import { quietLog } from "../../../../../src/kernel/log.ts";
import { AddressBook } from "../../../../../src/labels/address-book.ts";
import { LabelStore } from "../../../../../src/labels/label-store.ts";
import { emptyFolder } from "../../../../support/folder.ts";
import { sample } from "../../../../support/list-source.ts";

const clock = { now: () => Date.UTC(2026, 10, 28, 8) };
const address = "0x7f367cc41522ce07553e823bf3be79a889debe1b";
const header = "chain,address,name,kind,program,date\n";
const row = (kind: string, date = "2026-11-20") => `evm,${address},A party,${kind},CYBER2,${date}\n`;

async function fileOf(text: string, name = "list.csv"): Promise<string> {
  const file = path.join(await emptyFolder(), name);
  await writeFile(file, text);
  return file;
}
const load = async (file: string, as: "lists" | "labels") => {
  const files = new AddressListFiles({ lists: [], labels: [], bundled: [], [as]: [file] }, clock);
  return (await files.load())[0];
};

test("a list has its file's hash, the newest day of its rows, and its load time", async () => {
  const text = header + row("sanctioned") + row("Blocked", "2026-11-27");
  const list = await load(await fileOf(text), "lists");

  expect(list?.info).toEqual({
    name: "list.csv",
    sha256: sha256(text),
    date: "2026-11-27",
    loadedAt: "2026-11-28T08:00:00.000Z",
  });
  expect([0, 1].map((at) => list?.labels.kindAt(at))).toEqual(["sanctioned", "blocked"]);
});

test.each([
  ["sdn.csv", "it looks like SDN.CSV of OFAC, 12 columns without a header: run", "ofac-csv"],
  ["sdn.xml", "it looks like SDN_ADVANCED.XML or SDN.XML of OFAC: run", "ofac-xml"],
  ["sdn-advanced.xml", "it looks like SDN_ADVANCED.XML or SDN.XML of OFAC: run", "ofac-xml"],
  ["entities.ftm.json", "it looks like entities.ftm.json or targets.nested.json of OpenSanctions, ", "opensanctions"],
])("a published %s in place of a label file leads to a hint to import it", async (name, what, format) => {
  const file = await fileOf(await sample(name), name);
  const command = `run weir labels import --format ${format} ${file} --out NEW.csv, and name NEW.csv in LISTS_FILES`;

  await expect(load(file, "lists")).rejects.toThrow(`label file ${file}: ${what}`);
  await expect(load(file, "labels")).rejects.toThrow(command);
});

test.each([
  ["list.xml", "<list></list>", /it is XML; if it is a list of OFAC: run weir labels import --format ofac-xml /],
  [
    "list.ndjson",
    '{"a":1}\n{"a":2}\n',
    /it is NDJSON; if it is a list of OpenSanctions: run .* --format opensanctions /,
  ],
  ["list.xml", "<sanctionsData>", /it looks like OFAC's SDN_ENHANCED\.XML: take SDN_ADVANCED\.XML, and import that/],
  ["list.csv", `${address}\n`, /no column chain, address, name, kind in the header/],
  ["list.txt", header, /name it \.csv or \.json/],
])("%s with %j leads to a message with its kind", async (name, text, why) => {
  await expect(load(await fileOf(text, name), "lists")).rejects.toThrow(why);
});

test("a list without days has the day of its file's last change", async () => {
  const file = await fileOf(`chain,address,name,kind\nevm,${address},A party,blocked\n`);
  await utimes(file, new Date("2026-03-04T05:06:07Z"), new Date("2026-03-04T05:06:07Z"));

  expect((await load(file, "lists"))?.info?.date).toBe("2026-03-04");
});

describe("a row that is no entry", () => {
  test.each([
    ["a kind that is none", row("sanctoined"), "kind: must be one of"],
    ["an address with a wrong checksum", `1,0x7F367cC41522cE07553e823bf3be79A889DEbe1b,A party,blocked,,\n`, "EIP-55"],
    ["a comma in a name that is not quoted", `evm,${address},Party, The,blocked,,\n`, "7 cells where the header has 6"],
    ["a day that is none", row("blocked", "9999-99-99"), "date: must be a day"],
    ["a day that lies ahead", row("blocked", "2026-12-24"), "date: must be a day"],
  ])("%s refuses a whole list, since its address would be cleared", async (_name, bad, why) => {
    const loading = load(await fileOf(header + row("blocked") + bad), "lists");

    await expect(loading).rejects.toThrow(/a row is no entry, first line 3: /);
    await expect(loading).rejects.toThrow(why);
  });

  test("in a label file loses only itself", async () => {
    const list = await load(await fileOf(header + row("exchagne") + row("malicious")), "labels");

    expect(list?.labels.length).toBe(1);
    expect(list?.refused).toHaveLength(1);
    const book = atOnce(AddressBook.steps(list === undefined ? [] : [list]));
    expect(book.lists).toMatchObject([{ entries: 1, refused: [{ line: 2 }] }]);
  });
});

describe("an unreadable row of a label file that means to accuse refuses the file", () => {
  const risk = "chain,address,name,kind,risk_level\n";
  const wrong = "0x7F367cC41522cE07553e823bf3be79A889DEbe1b";
  test.each([
    ["a wrong checksum", `${header}1,${wrong},A party,sanctioned,,\n`, "EIP-55"],
    ["a kind with a slip", header + row("sanctoined"), "kind: must be one of"],
    ["a kind in capitals, of an unknown chain", `${header}moon,${address},A party,MALICIOUS,,\n`, "unknown chain moon"],
    ["a quote that is not closed", `${header}evm,${address},"A party,blocked,,\n`, "csv quote not closed"],
    ["a comma in a name", `${header}evm,${address},Party, The,"Sanctioned",,\n`, "7 cells where the header has 6"],
    ["a day that is none", header + row("blocked", "9999-99-99"), "date: must be a day"],
    ["a risk that is nearly 5", `${risk}evm,${address},A party,exchange,5.0\n`, "risk_level: must be an integer"],
    ["a risk of 4 in a row of too many cells", `${risk}evm,${address},Party, The,exchange,4\n`, "6 cells where"],
  ])("%s", async (_name, text, why) => {
    const loading = load(await fileOf(text), "labels");

    await expect(loading).rejects.toThrow("label file list.csv: a row that accuses cannot be read, first line 2: ");
    await expect(loading).rejects.toThrow(why);
  });

  test.each([
    ["of JSON, with a risk in a list", { kind: "protocol", risk_level: [5] }],
    ["of JSON, that is a list itself", ["evm", address, "A party", "blocked"]],
  ])("%s", async (_name, bad) => {
    const file = await fileOf(
      JSON.stringify(
        [{ chain: "1", address, name: "A party", ...bad }].map((each) => (Array.isArray(bad) ? bad : each)),
      ),
      "list.json",
    );

    await expect(load(file, "labels")).rejects.toThrow("a row that accuses cannot be read, first line 1: ");
  });
});

test.each([
  ["list.csv", header],
  ["list.csv", `# nothing yet\n${header}# none\n\n`],
  ["list.json", "[]"],
])("a list without an entry is refused: %s with %j", async (name, text) => {
  await expect(load(await fileOf(text, name), "lists")).rejects.toThrow(
    `list file ${name} holds no entry: get the list again and import it, or take the file out of LISTS_FILES`,
  );
  expect((await load(await fileOf(text, name), "labels"))?.labels.length).toBe(0);
});

test.each([
  ["lists", header],
  ["lists", `${header.replace("kind", "kind,risk")}`],
  ["labels", header + row("sanctoined")],
] as const)(
  "a file in use as %s that becomes faulty is not loaded, and its last version stays in use",
  async (as, text) => {
    const file = await fileOf(header + row("sanctioned"));
    const files = new AddressListFiles({ lists: [], labels: [], bundled: [], [as]: [file] }, clock);
    const store = await LabelStore.open(files, AddressBook.steps, quietLog);
    await writeFile(file, text);

    expect([await store.reload(), store.isBehind, store.book.lists[0]?.entries]).toEqual([false, true, 1]);
  },
);

test("a list reports its unread columns", async () => {
  const csv = `chain,address,name,kind,Source,second source,\nevm,${address},A party,blocked,a,b,\n`;
  const json = JSON.stringify([
    { chain: "evm", address, name: "A party", kind: "blocked", Source: "a" },
    { chain: "evm", address, name: "A party", kind: "blocked", licence: "b" },
  ]);
  const lists = [await load(await fileOf(csv), "lists"), await load(await fileOf(json, "list.json"), "lists")];

  expect(lists.map((list) => list?.unread)).toEqual([
    ["Source", "second source"],
    ["Source", "licence"],
  ]);
  const book = atOnce(AddressBook.steps(lists.filter((list) => list !== undefined)));
  expect(book.lists[1]?.unread).toEqual(["Source", "licence"]);
});

test("a file that is gone at the next read is reported as absent", async () => {
  const file = await fileOf(header + row("blocked"));
  const files = new AddressListFiles({ lists: [file], labels: [], bundled: [] }, clock);
  await files.load();
  await unlink(file);

  await expect(files.load()).rejects.toThrow(/no such file; correct its name in LISTS_FILES or LABELS_FILES/);
});

test("a bundled label makes a contract known on the chain of its row, and on no other", async () => {
  // A day after the newest row, since a row of a later day is refused.
  const released = { now: () => Date.UTC(2026, 11, 1) };
  const lists = await new AddressListFiles({ lists: [], labels: [], bundled: bundled.labels }, released).load();
  const book = atOnce(AddressBook.steps(lists));
  const [ethereum, bnb] = [findChain("1"), findChain("56")];
  if (ethereum === undefined || bnb === undefined) throw new Error("no chain");
  const known = (chain: typeof bnb, text: string) =>
    book.isKnown(chain, text.toLowerCase() as Parameters<typeof book.isKnown>[1]);

  expect(lists.flatMap(({ refused }) => refused)).toEqual([]);
  expect(known(ethereum, "0x8315177aB297bA92A06054cE80a67Ed4DBd7ed3a")).toBe(true);
  expect(known(bnb, "0x8315177aB297bA92A06054cE80a67Ed4DBd7ed3a")).toBe(false);
  expect(known(ethereum, "0xdAC17F958D2ee523a2206206994597C13D831ec7")).toBe(true);
});
