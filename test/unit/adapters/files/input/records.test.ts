import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Defaults, Format } from "../../../../../src/adapters/files/input/format.ts";
import {
  type FileRecord,
  type RecordsOptions,
  readRecords,
  recordChunks,
  sourceName,
} from "../../../../../src/adapters/files/input/records.ts";
import type { Unfinished } from "../../../../../src/adapters/files/input/unfinished.ts";
import { ConfigInvalidError, InputUnreadableError } from "../../../../../src/kernel/errors.ts";
import { UnreadAddresses } from "../../../../../src/messages/unread/unread-addresses.ts";
import { emptyFolder } from "../../../../support/folder.ts";
import { buffersUsed } from "../../../../support/heap-used.ts";

const A = "0xd9a1c3788d81257612e2581a6ea0ada244853a91";
const B = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const event = (address: string) => ({ type: "address", chain_id: "1", address });
const ndjson = (...addresses: readonly string[]) => addresses.map((each) => JSON.stringify(event(each))).join("\n");
const eth: Defaults = { chain: "1", users: [] };

interface Options extends Pick<RecordsOptions, "ignored" | "isFinished" | "onUnread" | "onUnfinished"> {
  readonly name?: string;
  readonly format?: Format;
  readonly defaults?: Defaults;
}

async function fileOf(content: string | Uint8Array, name = "input"): Promise<string> {
  const file = path.join(await emptyFolder(), name);
  await writeFile(file, content);
  return file;
}

async function recordsOf(content: string | Uint8Array, { name, defaults, ...others }: Options = {}) {
  const file = await fileOf(content, name);
  return Array.fromAsync(readRecords({ path: file, defaults: defaults ?? { users: [] }, isFinished: true, ...others }));
}

/** Line and event, or line and fault. */
async function readOf(content: string | Uint8Array, options: Options = {}) {
  const records = await recordsOf(content, options);
  return records.map(({ source, event: read }) => [
    "line" in source ? source.line : 0,
    read.ok ? read.value : read.detail,
  ]);
}

const both = [
  [1, event(A)],
  [2, event(B)],
];

test("a record holds its file, its line, its id and its bytes", async () => {
  const [record] = await recordsOf(ndjson(A), { name: "events.ndjson" });

  expect(record).toMatchObject({
    source: { file: "events.ndjson", line: 1 },
    isEventJson: true,
    defaultId: "events.ndjson/1",
    bytes: Buffer.from(ndjson(A)),
    sizeBytes: ndjson(A).length,
    event: { ok: true, value: event(A) },
    revision: 0,
  });
});

test.each([
  ["an event in JSON", "a.ndjson", ndjson(A), ndjson(B)],
  ["a row", "a.csv", "address,chain", `${B},1${" ".repeat(40)}`],
  ["what is no event", "a.ndjson", ndjson(A), `{${" ".repeat(80)}`],
])("a record in flight keeps no other bytes of its chunk alive: %s", async (_what, name, first, line) => {
  const size = 10 * 2 ** 20;
  const file = await fileOf(`${first}\n${`${line}\n`.repeat(size / (line.length + 1))}`, name);
  const chunks = recordChunks({ path: file, defaults: { users: [] } });
  const kept: FileRecord[] = [];
  const before = await buffersUsed();

  for await (const records of chunks) {
    // The last record of each chunk of a quarter of a megabyte.
    let last: FileRecord | undefined;
    for (const record of records) last = record;
    if (last !== undefined) kept.push(last);
  }
  const held = (await buffersUsed()) - before;

  expect(kept.length).toBeGreaterThanOrEqual(40);
  expect(new Set(kept.map(({ sizeBytes }) => sizeBytes))).toEqual(new Set([line.length]));
  for (const record of kept) {
    if (record.event.ok) expect(() => record.bytes).toThrow("were let go: it could be read");
    else expect(record.bytes.toString()).toBe(line);
  }
  expect(held).toBeLessThan(2 * 2 ** 20);
});

test("a source is named by its file's own name, in any directory", () => {
  expect(sourceName("/a/b/events.ndjson.gz")).toBe("events.ndjson.gz");
  expect(sourceName("-")).toBe("stdin");
});

describe("the format is recognised", () => {
  const csv = `chain_id,address\n1,${A}\n`;
  test.each<[string, string, string]>([
    ["from .ndjson", "a.ndjson", ndjson(A)],
    ["from .jsonl", "a.jsonl", ndjson(A)],
    ["from .json", "a.JSON", ndjson(A)],
    ["from .csv", "a.csv", csv],
    ["from .CSV", "a.CSV", csv],
    ["from a first line that is an object", "a.txt", ndjson(A)],
    ["from a first line that names a column address", "a.txt", csv],
    ["from the first line that is not blank", "a", `\n  \n${csv}`],
    ["from the name inside .gz", "a.csv.gz", csv],
    ["from the first line inside .gz", "a.gz", ndjson(A)],
  ])("%s", async (_name, name, content) => {
    const packed = name.endsWith(".gz") ? gzipSync(content) : content;

    expect((await readOf(packed, { name })).map(([, read]) => read)).toEqual([event(A)]);
  });

  test("as a bare list otherwise", async () => {
    expect(await readOf(`${A}\n${B}`, { name: "a.txt", defaults: eth })).toEqual(both);
  });

  test("by the flag, whatever the name and the content are", async () => {
    expect(await readOf(ndjson(A, B), { name: "a.csv", format: "ndjson" })).toEqual(both);
    expect(await readOf(`address,chain\n${A},1\n`, { name: "a.ndjson", format: "csv" })).toEqual([[2, event(A)]]);
    expect(await readOf(`${A}\n${B}\n`, { name: "a.csv", format: "list", defaults: eth })).toEqual(both);
  });

  test.each<[string, string, Options]>([
    ["ndjson", ndjson(A), {}],
    ["csv", `address,chain\n${A},1`, {}],
    ["csv", `\taddress\tchain\n\t${A}\t1`, {}],
    ["csv", `# exported\naddress,chain\n${A},1`, {}],
    ["list", A, { defaults: eth }],
    ["list", `# exported\n${A}`, { defaults: eth }],
  ])("behind a byte order mark, packed or not, of %s: %j", async (_format, content, options) => {
    const text = `\uFEFF${content}`;

    expect((await readOf(text, options)).map(([, read]) => read)).toEqual([event(A)]);
    expect((await readOf(gzipSync(text), options)).map(([, read]) => read)).toEqual([event(A)]);
  });

  test("an empty file may have any format", async () => {
    for (const name of ["a.ndjson", "a.csv", "a.txt"]) expect(await readOf("\n \r\n", { name })).toEqual([]);
  });
});

describe("a file of another format than the expected one is refused, with the observed format and the remedy", () => {
  const csv = `address,chain\n${A},1\n`;
  test.each<[string, string | Uint8Array, Options, string]>([
    ["a.ndjson", csv, {}, "is read as NDJSON, as its name says, and its first line is a CSV header: add --format csv"],
    [
      "a.json.gz",
      gzipSync(csv),
      {},
      "is read as NDJSON, as its name says, and its first line is a CSV header: add --format csv",
    ],
    [
      "a.txt",
      csv,
      { format: "ndjson" },
      "is read as NDJSON, as --format ndjson says, and its first line is a CSV header: give --format csv instead",
    ],
    [
      "a.txt",
      csv,
      { format: "list" },
      "is read as a bare list, as --format list says, and its first line is a CSV header: give --format csv instead",
    ],
    [
      "a.csv",
      ndjson(A, B),
      {},
      "is read as CSV, as its name says, and its first line is a JSON object: add --format ndjson",
    ],
    [
      "a.csv",
      `\uFEFF\n${ndjson(A)}`,
      {},
      "is read as CSV, as its name says, and its first line is a JSON object: add --format ndjson",
    ],
    [
      "a.txt",
      ndjson(A),
      { format: "list" },
      "is read as a bare list, as --format list says, and its first line is a JSON object: give --format ndjson instead",
    ],
    [
      "a.ndjson",
      `${A}\n${B}`,
      {},
      "is read as NDJSON, as its name says, and its first line is an address: add --format list and --chain, if it is a bare list",
    ],
    [
      "a.csv",
      `${A}\n${B}`,
      {},
      "is read as CSV, as its name says, and its first line is an address: add --format list and --chain, if it is a bare list",
    ],
    [
      "a.csv",
      `eth,${A}\neth,${B}`,
      {},
      "has no header: its first line is a row. Put a line above it that names the columns, such as chain,address,users",
    ],
    [
      "a.json",
      '{\n  "events": [\n',
      {},
      "begins like JSON over several lines: write one event a line, for example with jq -c . IN > OUT",
    ],
    ["a.csv", "[{}]", {}, "begins like one JSON array: write one event a line, for example with jq -c '.[]' IN > OUT"],
    [
      "a.txt",
      "<!DOCTYPE html>\n<html>",
      {},
      "begins like a web page or XML, perhaps an error in place of the data: get it again",
    ],
    [
      "a.csv",
      '<?xml version="1.0"?>',
      {},
      "begins like a web page or XML, perhaps an error in place of the data: get it again",
    ],
  ])("%s: %j %j", async (name, content, options, remedy) => {
    const reading = readOf(content, { name, ...options });

    await expect(reading).rejects.toBeInstanceOf(InputUnreadableError);
    await expect(reading).rejects.toThrow(`${name} ${remedy}`);
  });

  test.each<[string, string, Options, unknown]>([
    [
      "a first line that is cut off",
      `{"type":"addr\n${ndjson(B)}`,
      { name: "a.ndjson" },
      [
        [1, "not valid JSON"],
        [2, event(B)],
      ],
    ],
    [
      "a first line of words",
      `hello world\n${ndjson(B)}`,
      { name: "a.ndjson" },
      [
        [1, "not valid JSON"],
        [2, event(B)],
      ],
    ],
    [
      "a header further down",
      `${ndjson(A)}\naddress,chain`,
      { name: "a.ndjson" },
      [
        [1, event(A)],
        [2, "not valid JSON"],
      ],
    ],
    ["a list that begins with its one column's name", `address\n${A}`, { defaults: eth }, [[2, event(A)]]],
  ])("%s is accepted", async (_what, content, options, expected) => {
    expect(await readOf(content, options)).toEqual(expected);
  });
});

describe("NDJSON", () => {
  test("a broken line is a bad record, and the next line is read", async () => {
    expect(await readOf(`${ndjson(A)}\n{"type":\n${ndjson(B)}\n`, { name: "a.ndjson" })).toEqual([
      [1, event(A)],
      [2, "not valid JSON"],
      [3, event(B)],
    ]);
  });

  test("blank lines of NDJSON are skipped, but counted", async () => {
    expect(await readOf(`\n${ndjson(A)}\n  \n\r\n${ndjson(B)}`, { name: "a.ndjson" })).toEqual([
      [2, event(A)],
      [5, event(B)],
    ]);
  });

  test("a line from # is no comment: it may be a broken event", async () => {
    expect(await readOf(`#${ndjson(A)}\n${ndjson(B)}\n#x`, { name: "a.ndjson" })).toEqual([
      [1, "not valid JSON"],
      [2, event(B)],
      [3, "not valid JSON"],
    ]);
  });

  test("a byte order mark and Windows line ends are accepted in NDJSON", async () => {
    expect(await readOf(`\uFEFF${ndjson(A, B).replace("\n", "\r\n")}\r\n`, { name: "a.ndjson" })).toEqual(both);
    expect(await readOf(`\uFEFF${ndjson(A)}`)).toEqual([[1, event(A)]]);
  });

  test("a line above the limit is a bad record and is not cut", async () => {
    const long = `${JSON.stringify(event(A))}${" ".repeat(300_000)}`;
    const hidden = `${JSON.stringify(event(A)).padEnd(262_144)}\rgarbage`;

    expect(await readOf(`${long}\n${hidden}\n${ndjson(B)}`, { name: "a.ndjson" })).toEqual([
      [1, "larger than 262144 bytes"],
      [2, "larger than 262144 bytes"],
      [3, event(B)],
    ]);
  });

  test.each([
    ["a.json", "[\n  {}\n]"],
    ["a.ndjson", `\n  \n[${ndjson(A)}]\n`],
    ["a.txt", `\uFEFF[${ndjson(A)}]`],
    ["a.gz", gzipSync("[]")],
  ])("%s with one JSON array refuses the file, with the remedy: %j", async (name, content) => {
    const reading = readOf(content, { name });

    await expect(reading).rejects.toBeInstanceOf(InputUnreadableError);
    await expect(reading).rejects.toThrow(
      `${name} begins like one JSON array: write one event a line, for example with jq -c '.[]' IN > OUT`,
    );
  });

  test("an array in a later line is a bad record", async () => {
    expect(await readOf(`${ndjson(A)}\n[]\n${ndjson(B)}`, { name: "a.ndjson" })).toEqual([
      [1, event(A)],
      [2, "must be a JSON object"],
      [3, event(B)],
    ]);
  });

  test.each([{ chain: "56", users: [] }, { users: [B] }, { users: [], token: B }])(
    "a flag that would be ignored is refused: %j",
    async (defaults) => {
      await expect(readOf(ndjson(A), { name: "a.ndjson", defaults })).rejects.toThrow(
        "--chain, --user and --token are for CSV and bare lists: name them in the events instead",
      );
    },
  );
});

describe("a carriage return inside a line makes it a bad record, and hides no other line", () => {
  const inside = "a carriage return inside the line: end every line with LF, or with CR LF";

  test.each<[string, string, Options]>([
    ["NDJSON", `${ndjson(A)}\r${ndjson(A)}\n${ndjson(B)}\n`, { name: "a.ndjson" }],
    ["NDJSON, as white space", `${ndjson(A).replace(",", ",\r")}\n${ndjson(B)}\n`, { name: "a.ndjson" }],
    ["a list", `${A}\r${A}\n${B}\n`, { defaults: eth }],
    ["a comment of a list", `# x\r${A}\n${B}\n`, { defaults: eth }],
    ["a line of blanks and one address", `\r \r${A}\r${A}\n${B}\n`, { defaults: eth }],
  ])("%s", async (_name, content, options) => {
    expect(await readOf(content, options)).toEqual([
      [1, inside],
      [2, event(B)],
    ]);
  });

  test.each([`${A},1\r${B},1`, `"${A}",1\r"${B}",1`, `${A},"1\r"`])("CSV: %j", async (row) => {
    expect(await readOf(`address,chain\n${row}\n${B},1\r\r\n`, { name: "a.csv" })).toEqual([
      [2, inside],
      [3, event(B)],
    ]);
  });

  test.each(["a.csv", "a.ndjson", "a.txt"])("a file with line ends of old Macs is refused: %s", async (name) => {
    await expect(readOf(`address,chain\r"${A}",1\r`, { name, defaults: eth })).rejects.toThrow(
      /^cannot read .*: its lines end in CR alone, as on old Macs: convert them to LF/,
    );
  });

  test.each([`# exported\raddress,chain\n${A},1\n`, `address,chain\r${A},1\n${B},1\n`])(
    "a CSV header with a carriage return refuses the file: %j",
    async (content) => {
      await expect(readOf(content, { name: "a.csv" })).rejects.toThrow(
        new InputUnreadableError("the CSV header holds a carriage return: end every line with LF, or with CR LF"),
      );
    },
  );
});

const misnamed = (name: string, meant: string) =>
  `the CSV header has an unknown column "${name}": if you mean "${meant}", name it so; if not, choose another name, or leave it out by --ignore`;

describe("CSV", () => {
  const csv = (content: string, defaults?: Defaults) =>
    readOf(content, { name: "a.csv", ...(defaults === undefined ? {} : { defaults }) });

  test("rows are read by the header, in any order of columns", async () => {
    expect(await csv(`address,user_addresses,chain_id\n${A},${B};${A},eth\n`)).toEqual([
      [2, { type: "address", chain_id: "eth", address: A, user_addresses: [B, A] }],
    ]);
  });

  test("header names may have spaces, quotes, capitals and a byte order mark", async () => {
    expect(await csv(`\uFEFF"Chain_ID", Address \r\n1,${A}\r\n`)).toEqual([[2, event(A)]]);
    expect(await csv(`\uFEFFaddress,chain\n${A},1\n`)).toEqual([[2, event(A)]]);
  });

  test.each<[string, string]>([
    ["semicolons", `address;chain;users\n${A};1;${B}|${A}\n`],
    ["tabs", `address\tchain\tusers\n${A}\t1\t${B} ${A}\n`],
    ["tabs, with a first column that has neither name nor cells", `\taddress\tchain\tusers\n\t${A}\t1\t${B};${A}\n`],
  ])("columns may be separated by %s, according to the header", async (_name, content) => {
    const expected = [[2, { ...event(A), user_addresses: [B, A] }]];

    expect(await csv(content)).toEqual(expected);
    expect(await readOf(content, { name: "a.txt" })).toEqual(expected);
  });

  test("in a file with semicolons, users that are separated by semicolons leave a cell too many", async () => {
    expect(await csv(`address;chain;users\n${A};1;${B};${A}\n`)).toEqual([[2, "4 columns, the header has 3"]]);
  });

  test("columns with clearly foreign names are skipped", async () => {
    expect(await csv(`address,chain,line,amount,note (a;b)\n${A},1,7,3,x\n`)).toEqual([[2, event(A)]]);
  });

  test.each([
    "user addresses (known)",
    "wallet_list",
    "my_wallets",
    "whitelist",
    "counterparties",
    "recipient",
    "Sender",
  ])("a column %j is skipped, but a row with an address in it is refused", async (name) => {
    expect(await csv(`address,chain,${name}\n${A},1,\n${A},1,Bob\n${A},1,${B}\n${A},1,"x; ${B}"\n`)).toEqual([
      [2, event(A)],
      [3, event(A)],
      ...[4, 5].map((line) => [
        line,
        `${name}: unknown field that holds an address; put addresses the user knows in user_addresses, or rename it to ref`,
      ]),
    ]);
  });

  test("defaults fill the missing fields of rows", async () => {
    expect(await csv(`address,chainId\n${A},\n${B},56\n`, eth)).toEqual([
      [2, event(A)],
      [3, { ...event(B), chain_id: "56" }],
    ]);
  });

  test("a broken row is a bad record, and the next row is read", async () => {
    expect(await csv(`chain_id,address\n1\n1,"${A}\n1,${A},x\n,${A}\n1,${B}\n`)).toEqual([
      [2, "1 columns, the header has 2"],
      [3, "not valid CSV: csv quote not closed"],
      [4, "3 columns, the header has 2"],
      [5, "chain_id: field required"],
      [6, event(B)],
    ]);
  });

  test("blank lines of CSV are skipped, but counted", async () => {
    expect(await csv(`\nchain_id,address\n\n1,${A}\n\n`)).toEqual([[4, event(A)]]);
  });

  test("lines from # are comments above the header and rows below it, so no row is lost", async () => {
    expect(await csv(`# exported today\nid,chain_id,address\n#1,1,${A}\n`)).toEqual([[3, { ...event(A), id: "#1" }]]);
  });

  test("a row above the limit is a bad record and is not cut", async () => {
    const rows = await csv(`chain_id,address,ref\n1,${A},${"x".repeat(300_000)}\n1,${B},\n`);

    expect(rows).toEqual([
      [2, "larger than 262144 bytes"],
      [3, event(B)],
    ]);
  });

  test("a row that is not UTF-8 is refused", async () => {
    const bad = Buffer.concat([Buffer.from(`chain_id,address,ref\n1,${A},`), Buffer.from([0xff, 0x0a])]);

    expect(await readOf(bad, { name: "a.csv" })).toEqual([[2, "ref: not valid UTF-8"]]);
  });

  test("invalid UTF-8 in an unread column is no fault", async () => {
    const latin = Buffer.concat([Buffer.from(`chain_id,address,memo\n1,${A},caf`), Buffer.from([0xe9, 0x0a])]);

    expect(await readOf(latin, { name: "a.csv" })).toEqual([[2, event(A)]]);
  });

  test.each(["\n", "\r\n"])("a quoted cell may hold line breaks, of %j, and no row is made of them", async (end) => {
    const rows = ["address,chain,memo", `${A},1,"first`, `${B},1,inner`, '""quoted"" last"', `${B},1,plain`, ""];

    expect(await csv(rows.join(end))).toEqual([
      [2, event(A)],
      [5, event(B)],
    ]);
    expect(await csv(rows.slice(0, 4).join(end))).toEqual([[2, event(A)]]);
  });

  test("an unclosed quote loses its own row, and no later row", async () => {
    const open = `address,chain,memo\n${A},1,"open\n${B},1,x\n`;
    const told = [2, "not valid CSV: csv quote not closed"];

    expect(await csv(open)).toEqual([told, [3, event(B)]]);
    expect(await csv(`${open}${A},1,"a quoted cell"\n${A},1,y\n`)).toEqual([
      told,
      [3, event(B)],
      [4, event(A)],
      [5, event(A)],
    ]);
    const far = await csv(`${open}${`${B},1,x\n`.repeat(10_000)}${A},1,"late"\n`);
    expect(far).toHaveLength(10_003);
    expect(far.slice(0, 2)).toEqual([told, [3, event(B)]]);
  });

  test("lines with cells that form no common row are separate rows", async () => {
    expect(await csv(`address,chain,memo\n${A},1,"x\n${B},1,y\nz",too,many\n`)).toEqual([
      [2, "not valid CSV: csv quote not closed"],
      [3, event(B)],
      [4, expect.stringContaining("not valid CSV")],
    ]);
  });

  test.each(["sep=;", "SEP=;", "\uFEFFsep=;"])("a separator line %j above the header is no row", async (line) => {
    const content = `${line}\naddress;chain;note\n${A};1;x\n`;

    expect(await csv(content)).toEqual([[3, event(A)]]);
    expect(await readOf(content, { name: "a.txt" })).toEqual([[3, event(A)]]);
  });

  test.each([
    [
      "chain,user\n1,a\n",
      'the CSV header has no column "address"; it has: chain, user. Name the column of the addresses "address"; or map the columns: weir map suggest prints a mapping to start from; likely: chain -> chain_id?, user -> user_addresses?',
    ],
    ['"chain,address\n', "the CSV header cannot be read: not valid CSV: csv quote not closed; correct that line"],
    [`address,chain,users,userAdresses\n`, misnamed("userAdresses", "user_addresses")],
  ])("a header like %j refuses the file", async (content, message) => {
    await expect(csv(content)).rejects.toThrow(new InputUnreadableError(message));
  });
});

describe("a bare list", () => {
  const list = (content: string, defaults: Defaults = eth) => readOf(content, { name: "a.txt", defaults });

  test("holds one address a line, with the defaults", async () => {
    const defaults = { chain: "eth", users: [B, A], token: B };

    expect(await list(`  ${A} \n`, defaults)).toEqual([
      [1, { type: "address", chain_id: "eth", address: A, user_addresses: [B, A], token_address: B }],
    ]);
  });

  test("blank lines and comments of a list are skipped, but counted", async () => {
    expect(await list(`# hot wallets\n\n${A}\r\n  # more\n${B}`)).toEqual([
      [3, event(A)],
      [5, event(B)],
    ]);
  });

  test("any line is taken as an address, and the plan refuses invalid ones", async () => {
    expect(await list(`${A},${B}\nhello world\n`)).toEqual([
      [1, event(`${A},${B}`)],
      [2, event("hello world")],
    ]);
  });

  test("a byte order mark is accepted in a list", async () => {
    expect(await list(`\uFEFF${A}\n${B}`)).toEqual(both);
  });

  test("a line above the limit, or not UTF-8, is refused", async () => {
    expect(await list(`${"x".repeat(300_000)}\n${A}`)).toEqual([
      [1, "larger than 262144 bytes"],
      [2, event(A)],
    ]);
    expect(await readOf(Buffer.from([0x30, 0xff, 0x0a]), { name: "a.txt", defaults: eth })).toEqual([
      [1, "not valid UTF-8"],
    ]);
  });

  test("needs a chain, and the error names the flag", async () => {
    await expect(list(A, { users: [] })).rejects.toThrow(
      new ConfigInvalidError("a bare list of addresses needs their chain: add --chain, for example --chain eth"),
    );
  });
});

describe("unread addresses are refused or reported, in the exports of explorers", () => {
  const H = `0x${"5c".repeat(32)}`;
  const TA = "TA9SpmD6Fne54b4jEWpCDaHUECdJitspmo";
  const TB = "TA9SJtzNUWiU6JzyS3kEQuRHRkPsitspmo";
  const etherscan = `"Transaction Hash","Blockno","From","address","Value_IN(ETH)","Method"\n"${H}","2","${B}","${A}","0","Transfer"\n"${H}","3","${A}","${B}","1","Transfer"\n`;
  const tronscan = `Txn Hash,Block,Method,From,address,Amount,Status\n${"85".repeat(32)},6,transfer,${TB},${TA},100.5,CONFIRMED\n`;
  const dune = `block_time,network,tx_hash,from,address,token_symbol\n2024-06-01 22:36:51.000 UTC,ethereum,${H},${B},${A},USDT\n`;

  async function unreadIn(content: string, options: Options) {
    const unread = new UnreadAddresses();
    const records = await recordsOf(content, { ...options, onUnread: unread.add.bind(unread) });
    return { refused: records.filter((record) => !record.event.ok).length, told: unread.fields };
  }

  test.each<[string, string, string, number]>([
    ["Etherscan", etherscan, "From", 2],
    ["Tronscan", tronscan, "From", 1],
    ["Dune", dune, "from", 1],
  ])("%s, with its receivers in a column named address", async (site, content, column, rows) => {
    const defaults = { chain: site === "Tronscan" ? "tron" : "eth", users: [] };
    const from = {
      name: column,
      kind: "column",
      isTelling: true,
      mayBeHash: false,
      meant: "users",
      events: rows,
      first: "line 2",
    };

    expect(await unreadIn(content, { name: "a.csv", defaults })).toEqual({ refused: rows, told: [from] });
    expect(await unreadIn(content, { name: "a.csv", defaults, ignored: ["FROM"] })).toEqual({ refused: 0, told: [] });
    const renamed = content.replace(/\bfrom\b/i, "users");
    expect(await unreadIn(renamed, { name: "a.csv", defaults })).toEqual({ refused: 0, told: [] });
    const unnamed = content.replace(/\bfrom\b/i, "");
    expect(await unreadIn(unnamed, { name: "a.csv", defaults })).toEqual({
      refused: 0,
      told: [{ ...from, name: expect.stringMatching(/^no\. [34]$/), isTelling: false }],
    });
  });

  test("in each of two columns without a name", async () => {
    const { refused, told } = await unreadIn(`,address,,chain\n${B},${A},,1\n,${A},${B},1\n${TB},${A},x,1\n`, {
      name: "a.csv",
    });

    expect(refused).toBe(0);
    expect(told).toMatchObject([
      { name: "no. 1", events: 1, first: "line 2" },
      { name: "no. 3", events: 1, first: "line 3" },
    ]);
  });

  test("in fields of JSON, by their path", async () => {
    const line = (own: object) => JSON.stringify({ ...event(A), ...own });
    const lines = [line({}), line({ data: { memo: B } }), line({ data: { memo: B, to: B } }), line({ ref: B })];

    expect(await unreadIn(lines.join("\n"), { name: "a.ndjson" })).toEqual({
      refused: 1,
      told: [
        {
          name: "data.memo",
          kind: "field",
          isTelling: false,
          mayBeHash: false,
          meant: "users",
          events: 2,
          first: "line 2",
        },
        {
          name: "data.to",
          kind: "field",
          isTelling: true,
          mayBeHash: false,
          meant: "users",
          events: 1,
          first: "line 3",
        },
      ],
    });
  });

  test.each([
    ["a.ndjson", ndjson(A)],
    ["a.txt", A],
  ])("no column of %s can be left out", async (name, content) => {
    await expect(recordsOf(content, { name, defaults: eth, ignored: ["From"] })).rejects.toThrow(ConfigInvalidError);
  });
});

describe("a file that may still grow", () => {
  const waitingIn = async (content: string, name: string) => {
    const waiting: Unfinished[] = [];
    const onUnfinished = (lines: Unfinished) => waiting.push(lines);
    const records = await recordsOf(content, {
      name,
      defaults: name === "a.txt" ? eth : { users: [] },
      isFinished: false,
      onUnfinished,
    });
    return [records.map(({ source }) => source.line), waiting];
  };
  const line = (number: number) => [{ from: number, to: number, isQuoted: false }];

  test.each<[string, string, readonly number[], readonly Unfinished[]]>([
    ["a.csv", `address,chain\n${A},1\n${B},1`, [2], line(3)],
    ["a.csv", `address,chain\n${A},1\n${B},"1\n\n2`, [2], [{ from: 3, to: 5, isQuoted: true }]],
    ["a.csv", `address,chain\n${A},"1\n`, [], [{ from: 2, to: 2, isQuoted: true }]],
    ["a.csv", "address,cha", [], line(1)],
    ["a.csv", `address,chain\n${A},1\n  `, [2], []],
    ["a.txt", `${A}\n${B}`, [1], line(2)],
    ["a.txt", `${A}\n# no`, [1], []],
    ["a", "addr", [], line(1)],
    ["a", ndjson(A), [1], []],
    ["a.ndjson", ndjson(A, B), [1, 2], []],
    ["a.ndjson", `${ndjson(A)}\n{"type":"address",`, [1], line(2)],
    ["a.ndjson", '{"type":"address",', [], line(1)],
    ["a.ndjson", `${ndjson(A)}\n12`, [1], line(2)],
  ])("%s: %j", async (name, content, lines, waiting) => {
    expect(await waitingIn(content, name)).toEqual([lines, waiting]);
  });

  test.each([
    ["a.csv", "<!doctype html><ht"],
    ["a.csv", '{"type":'],
    ["a.ndjson", '[{"type":'],
  ])("%s is refused at once where its beginning shows another format: %j", async (name, content) => {
    await expect(waitingIn(content, name)).rejects.toBeInstanceOf(InputUnreadableError);
  });

  test("a pipe is finished at its end", async () => {
    const file = path.join(await emptyFolder(), "pipe");
    await promisify(execFile)("mkfifo", [file]);
    const reading = Array.fromAsync(readRecords({ path: file, format: "list", defaults: eth }));
    await writeFile(file, A);

    expect((await reading).map(({ source }) => source.line)).toEqual([1]);
  });
});
