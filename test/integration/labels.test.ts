import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder } from "../support/folder.ts";
import { run, start } from "../support/weir.ts";

const header = "chain,address,name,kind,risk_level,full_name,program,note,date\n";

test("an imported list is a label file that identifies addresses", async () => {
  const folder = await emptyFolder();
  const [list, labels] = [path.join(folder, "list.txt"), path.join(folder, "labels.csv")];
  const sanctioned = "TXFBqBbqJommqZf7BV8NNYzePh97UmJodJ";
  await writeFile(list, `${sanctioned}\nnothing\n`);

  const imported = await run([
    "labels",
    "import",
    list,
    "--format",
    "address-list",
    "--chain",
    "tron",
    "--out",
    labels,
  ]);
  const checked = await run(["labels", "check", sanctioned], { LABELS_FILES: labels, BUNDLED_LABELS: "false" });

  expect([imported.status, imported.stdout]).toEqual([2, ""]);
  expect(imported.stderr).toBe(
    [
      `${list}: 2 rows: 1 labels, 0 given twice, 1 refused`,
      "  labels: 1 sanctioned; 1 TRON",
      "  refused: 1 × address: must start with T, or with 41 in hex (line 2)",
      "",
    ].join("\n"),
  );
  expect(await readFile(labels, "utf8")).toBe(`${header}tron,${sanctioned},sanctioned address,sanctioned,,,,,\n`);
  expect([checked.status, checked.stdout]).toEqual([2, `is sanctioned sanctioned address on TRON: ${sanctioned}\n`]);
});

test("a list of OFAC is recognized by its content, and its addresses are known with their names", async () => {
  const folder = await emptyFolder();
  const labels = path.join(folder, "labels.csv");
  const list = path.join(import.meta.dirname, "../fixtures/lists/sdn-advanced.xml");

  const imported = await run(["labels", "import", list, "--out", labels]);
  const checked = await run(["labels", "check", "0x7F367cC41522cE07553e823bf3be79A889DEbe1B"], {
    LABELS_FILES: labels,
    BUNDLED_LABELS: "false",
  });

  expect(imported).toMatchObject({ status: 2, stdout: "" });
  expect(imported.stderr.split("\n").slice(0, 4)).toEqual([
    `${list}: read as --format ofac-xml`,
    `${list}: 7 rows: 5 labels, 0 given twice, 1 refused, 1 on chains that are not screened`,
    "  labels: 5 sanctioned; 2 Bitcoin, 2 EVM, 1 TRON",
    "  not screened: 1 XMR",
  ]);
  expect(checked.status).toBe(2);
  expect(checked.stdout).toBe(
    "is sanctioned EXAMPLE MIXER on Ethereum: 0x7F367cC41522cE07553e823bf3be79A889DEbe1B; program CYBER2; note: OFAC uid 90002; ETH; listed 2022-05-06\n",
  );
});

test("labels are written to standard output, also from standard input, and unsupported addresses are no failure", async () => {
  const file = path.join(import.meta.dirname, "../fixtures/lists/sdn.xml");
  const { child, ended } = start(["labels", "import", "-"]);
  child.stdin.end(await readFile(file));

  const { status, stdout, stderr } = await ended;

  expect(status).toBe(0);
  expect(stdout).toBe(
    `${header}bitcoin,12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h,"DOE, Example",sanctioned,,,"DPRK3, CYBER2",OFAC uid 90001; XBT,2026-11-20\n`,
  );
  expect(stderr).toContain("standard input: read as --format ofac-xml\n");
});

const evm = "0x7F367cC41522cE07553e823bf3be79A889DEbe1B";

test.each([
  [
    "cut-off.xml",
    '<Sanctions xmlns="x"><DistinctParties>',
    [],
    /cut-off\.xml cannot be read as ofac-xml: it is cut off/,
  ],
  [
    "cut-off.json",
    `{"id":"w","schema":"CryptoWallet","properties":{"publicKey":["${evm}"],"topics":["sanction"]}}\n{"id":"`,
    [],
    /cut-off\.json cannot be read as opensanctions: line 2 is cut off/,
  ],
  [
    "cut-off.csv",
    `7,"DOE",-0- ,"CYBER2",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"Digital Currency Address - ETH ${evm}."\n8,"RO`,
    [],
    /cut-off\.csv cannot be read as ofac-csv: line 2 is cut off/,
  ],
  [
    "list.txt",
    `${evm}\n`,
    ["--kind", "sanctionned"],
    /argument 'sanctionned' is invalid\. Allowed choices are exchange, bridge, .*, sanctioned, malicious, blocked, allowed\./,
  ],
  [
    "list.txt",
    `${evm}\n`,
    ["--format", "ofac-xml"],
    /list\.txt is not of the format ofac-xml: it looks like --format address-list/,
  ],
  ["page.html", "<!DOCTYPE html>", [], /page\.html cannot be imported: it looks like a web page/],
  ["words.txt", "once upon a time\n", [], /words\.txt does not tell its format: say --format, one of ofac-xml, /],
  ["empty.txt", "", [], /empty\.txt is empty: expected a published list, such as SDN_ADVANCED\.XML of OFAC, /],
  [
    "empty.csv",
    " \n",
    ["--format", "ofac-csv"],
    /empty\.csv is empty: expected SDN\.CSV of OFAC, 12 columns without a header/,
  ],
  ["empty.xml", "", ["--format", "ofac-xml"], /empty\.xml is empty: expected SDN_ADVANCED\.XML or SDN\.XML of OFAC/],
  ["empty.json", "", ["--format", "token-list"], /empty\.json is empty: expected a token list/],
  ["none.xml", "<sdnList></sdnList>", [], /none\.xml names no address in the format ofac-xml/],
  ["bad.txt", "0x12\n", ["--format", "address-list"], /bad\.txt names no address that can be listed/],
  ["list.txt", `${evm}\n`, ["--comments", "x"], /--comments is for --format ofac-csv, not for address-list/],
])("%s, as %j with %j, fails and leaves no file", async (name, text, flags, why) => {
  const folder = await emptyFolder();
  const [list, out] = [path.join(folder, name), path.join(folder, "out.csv")];
  await writeFile(list, text);

  const { status, stderr } = await run(["labels", "import", list, "--out", out, ...flags]);

  expect([status, await readdir(folder)]).toEqual([1, [name]]);
  expect(stderr).toMatch(why);
});

test("an existing file is never overwritten", async () => {
  const folder = await emptyFolder();
  const [list, out] = [path.join(folder, "list.txt"), path.join(folder, "out.csv")];
  await writeFile(list, `${evm}\n`);
  await writeFile(out, "ours");

  const { status, stderr } = await run(["labels", "import", list, "--out", out]);

  expect([status, await readFile(out, "utf8")]).toEqual([1, "ours"]);
  expect(stderr).toContain(`--out ${out}: the file exists already: name another file, or remove this one`);
});

test.each([
  [
    "0x28C6c06298d514Db089934071355E5743bf21d60",
    0,
    "is exchange Binance on Ethereum: 0x28C6c06298d514Db089934071355E5743bf21d60\n",
  ],
  [
    "0x28cabc6298d514db089934071355e5743bf21d60",
    2,
    "resembles exchange Binance on Ethereum: 0x28C6c06298d514Db089934071355E5743bf21d60\n",
  ],
  [
    "ComputeBudgetEqSP1oUBXq5fwsQYUBEjGWBX7111111",
    2,
    "imitates a program or an account of Solana itself, and is none: ComputeBudgetEqSP1oUBXq5fwsQYUBEjGWBX7111111\n",
  ],
  [
    "ComputeBudget111111111111111111111111111111",
    0,
    "is a program or an account of Solana itself: ComputeBudget111111111111111111111111111111\n",
  ],
  [
    "0x1111111254fb6c44bac0bed2854e76f90643097d",
    0,
    [
      "is protocol 1inch Network AggregationRouterV4 on Ethereum: 0x1111111254fb6c44bAC0beD2854e76F90643097d",
      "is elsewhere protocol 1inch Network AggregationRouterV4 on BNB Smart Chain: 0x1111111254fb6c44bAC0beD2854e76F90643097d",
      "is elsewhere protocol 1inch Network AggregationRouterV4 on Polygon: 0x1111111254fb6c44bAC0beD2854e76F90643097d",
      "",
    ].join("\n"),
  ],
  ["0x1111111154fb6c44bac0bed2854e76f906430001", 0, "no label, and nothing it resembles, on Ethereum\n"],
])("weir labels check %s", async (address, status, stdout) => {
  expect(await run(["labels", "check", address])).toMatchObject({ status, stdout });
});

test("a text that is no address of the chain is reported", async () => {
  const { status, stderr } = await run(["labels", "check", "0x12"]);

  expect(status).toBe(1);
  expect(stderr).toBe("weir: 0x12 is no address of Ethereum: must have 40 hex digits after 0x, has 2\n");
});

test("a text that is no address of any chain is not taken for a Solana address", async () => {
  const { status, stdout, stderr } = await run(["labels", "check", "nonsense"]);

  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^weir: "nonsense" is no address: EVM: must start with 0x; TRON: .*; Solana: .*; Bitcoin: /);
});
