import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { LabelFiles } from "../../../../../src/adapters/files/labels/label-files.ts";
import { ConfigInvalidError } from "../../../../../src/kernel/errors.ts";

const fixture = (name: string) => path.join(import.meta.dirname, "../../../../fixtures/labels", name);

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "weir-labels-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test("a CSV file gives its labels, and its bad rows with their lines", async () => {
  const [list] = await new LabelFiles([fixture("small.csv")]).load();

  expect(list?.name).toBe(fixture("small.csv"));
  expect(list?.labels.map(({ name, kind }) => [name, kind])).toEqual([
    ["Deposit #1", "exchange"],
    ["USD Coin, USDC", "token"],
    ["Tether USD", "token"],
    ["Phishing page", "site"],
  ]);
  expect(list?.refused).toEqual([
    { line: 6, detail: "chain: unknown chain nowhere" },
    { line: 7, detail: "row: 3 cells where the header has 6; quote cells with commas" },
    { line: 10, detail: expect.stringMatching(/^address: .*checksum/) },
  ]);
});

test("a JSON file gives its labels, and its bad rows with their positions", async () => {
  const [list] = await new LabelFiles([fixture("small.json")]).load();

  expect(list?.labels.map(({ name, riskLevel }) => [name, riskLevel])).toEqual([
    ["Treasury", 0],
    ["Address poisoner", 5],
  ]);
  expect(list?.refused).toEqual([{ line: 2, detail: "row: must be an object" }]);
});

test("lists come in the order of the paths", async () => {
  const paths = [fixture("small.json"), fixture("small.csv")];

  expect((await new LabelFiles(paths).load()).map(({ name }) => name)).toEqual(paths);
});

test("a byte order mark and Windows line ends do not matter", async () => {
  const file = path.join(await emptyFolder(), "a.csv");
  await writeFile(file, "\uFEFFchain,address,name,kind\r\n,a.example,site,site\r\n");

  const [list] = await new LabelFiles([file]).load();

  expect([...(list?.labels ?? [])]).toEqual([{ kind: "site", host: "a.example", name: "site" }]);
  expect(list?.refused).toEqual([]);
});

test.each([
  ["absent.csv", /absent\.csv: ENOENT: there is no such file; correct its name in LABELS_FILES, or take it out there$/],
  ["small.csv/a.csv", /a\.csv: ENOTDIR: .*; correct it, or take it out of LABELS_FILES$/],
  ["no-kind.csv", /no-kind\.csv: no column kind in the header; the first row must name chain, address, name, kind/],
  ["broken-header.csv", /broken-header\.csv: the header is not valid CSV: csv quote not closed$/],
  ["empty.csv", /empty\.csv: no column chain, address, name, kind in the header; the first row must name/],
  ["no-array.json", /no-array\.json: must be an array of objects/],
  ["labels.txt", /labels\.txt: name it \.csv or \.json/],
])("%s is refused as a whole, by name", async (name, message) => {
  const loading = new LabelFiles([fixture("small.csv"), fixture(name)]).load();

  await expect(loading).rejects.toBeInstanceOf(ConfigInvalidError);
  await expect(loading).rejects.toThrow(message);
});

test.each<[string, Uint8Array, string]>([
  ["a.csv", Buffer.from("504b030414000600", "hex"), "it is an Excel workbook (.xlsx) or a ZIP archive"],
  ["a.csv", gzipSync("chain,address,name,kind\n"), "it is packed with gzip: unpack it"],
  ["a.json", Buffer.from("\uFEFF[]", "utf16le"), "it is UTF-16: convert it to UTF-8"],
])("%s without text is refused with its type: %s", async (name, bytes, what) => {
  const file = path.join(await emptyFolder(), name);
  await writeFile(file, bytes);

  await expect(new LabelFiles([file]).load()).rejects.toThrow(`label file ${file}: ${what}`);
});

test("an unclosed quote loses its own row, whatever follows", async () => {
  const file = path.join(await emptyFolder(), "a.csv");
  const rows = [
    "chain,address,name,kind",
    'eth,0x28C6c06298d514Db089934071355E5743bf21d60,"Binance 14,exchange',
    "eth,0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91,Treasury,exchange",
    '"eth",0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48,"USD Coin, ""USDC""",token',
    'eth,0xdAC17F958D2ee523a2206206994597C13D831ec7,"Tether" USD,token',
    ' tron , TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t , "Tether, USD" , token ',
    'eth,0xdAC17F958D2ee523a2206206994597C13D831ec7,Tether "USD",token',
    ',a.example,"Landing',
    'page",site,"',
  ];
  const unclosed = "row: not valid CSV: csv quote not closed; a cell must end on the line that it begins on";
  for (const lineEnd of ["\n", "\r\n", "\r"]) {
    await writeFile(file, rows.join(lineEnd) + lineEnd);

    const [list] = await new LabelFiles([file]).load();

    expect(list?.labels.map(({ name, kind }) => [name, kind])).toEqual([
      ["Treasury", "exchange"],
      ['USD Coin, "USDC"', "token"],
      ["Tether, USD", "token"],
      ['Tether "USD"', "token"],
    ]);
    expect(list?.refused).toEqual([
      { line: 2, detail: unclosed },
      { line: 5, detail: unclosed.replace("quote not closed", "non trimable char after closing quote") },
      { line: 8, detail: unclosed },
      { line: 9, detail: unclosed },
    ]);
  }
});

test("comments and empty lines are counted and skipped, and a # elsewhere is text", async () => {
  const file = path.join(await emptyFolder(), "a.csv");
  const rows = [
    "",
    '# a "quote',
    "chain,address,name,kind",
    "  ",
    " # more",
    ',a.example,"# 1",site',
    ",b.example,#2,site",
  ];
  await writeFile(file, [...rows, "x"].join("\n"));

  const [list] = await new LabelFiles([file]).load();

  expect(list?.labels.map(({ name }) => name)).toEqual(["# 1", "#2"]);
  expect(list?.refused).toEqual([{ line: 8, detail: "row: 1 cells where the header has 4; quote cells with commas" }]);
});

test("a directory is refused, with a hint to name a file", async () => {
  const folder = path.join(await emptyFolder(), "labels.csv");
  await mkdir(folder);

  await expect(new LabelFiles([folder]).load()).rejects.toThrow(
    `label file ${folder}: EISDIR: it is a directory; name the files in it in LABELS_FILES, separated by commas`,
  );
});

test("a row of JSON must hold exactly the types of a label", async () => {
  const file = path.join(await emptyFolder(), "a.json");
  const site = { address: "a.example", name: "Phishing", kind: "site" };
  const rows = [site, { ...site, chain: {} }, { ...site, risk_level: [3] }, { ...site, risk_level: true }];
  await writeFile(file, JSON.stringify([...rows, { ...site, risk_level: "3 " }]));

  const [list] = await new LabelFiles([file]).load();

  expect([...(list?.labels ?? [])]).toEqual([{ kind: "site", host: "a.example", name: "Phishing" }]);
  expect(list?.refused).toEqual([
    { line: 2, detail: "chain: must be text or a number" },
    { line: 3, detail: "risk_level: must be an integer from 0 to 5, or empty" },
    { line: 4, detail: "risk_level: must be an integer from 0 to 5, or empty" },
    { line: 5, detail: "risk_level: must be an integer from 0 to 5, or empty" },
  ]);
});

test("a bad row that accuses refuses a label file of a service, and so does a list without rows", async () => {
  const folder = await emptyFolder();
  const file = path.join(folder, "a.csv");
  await writeFile(file, "chain,address,name,kind\neth,0x28C6c06298d514Db089934071355E5743bf21d61,A party,sanctioned\n");
  const empty = path.join(folder, "empty.csv");
  await writeFile(empty, "chain,address,name,kind\n");

  await expect(new LabelFiles([file]).load()).rejects.toThrow("label file a.csv: a row that accuses cannot be read");
  await expect(new LabelFiles([], [], [empty]).load()).rejects.toThrow("list file empty.csv holds no entry");
  expect(await new LabelFiles([empty]).load()).toMatchObject([{ refused: [] }]);
});

test("a file above 256 MiB is refused before it is read", async () => {
  const file = path.join(await emptyFolder(), "huge.csv");
  await writeFile(file, "");
  await truncate(file, 256 * 1024 * 1024 + 1);

  await expect(new LabelFiles([file]).load()).rejects.toThrow(/larger than 268435456 bytes; split it/);
});

test("other work runs while a file is read, once for some hundred rows", async () => {
  const file = path.join(await emptyFolder(), "a.csv");
  const rows = Array.from({ length: 20_000 }, (_, i) => `,host-${i}.example,Site ${i},site`);
  await writeFile(file, `chain,address,name,kind\n${rows.join("\n")}\n`);
  let turns = 0;
  let isRead = false;
  const others = (async () => {
    for (; !isRead; turns++) await setImmediate();
  })();

  const [list] = await new LabelFiles([file]).load();
  isRead = true;
  await others;

  expect(list?.labels.length).toBe(20_000);
  expect(turns).toBeGreaterThan(20);
});
