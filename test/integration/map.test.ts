import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder } from "../support/folder.ts";
import { outcomesIn } from "../support/verdicts.ts";
import { run } from "../support/weir.ts";

const records = [
  { withdrawalId: "w1", asset: "USDT", network: "TRC20", destination: "TA9SpmD6Fne54b4jEWpCDaHUECdJitspmo" },
  { withdrawalId: "w2", asset: "USDT", network: "ERC20", destination: "0xd9A1C3788D81257612E2581A6ea0aDa244853a91" },
  { withdrawalId: "w3", asset: "XRP", network: "XRP", destination: "rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh" },
  { withdrawalId: "w4", asset: "USDT", network: "ERC20", destination: "0xd9A1" },
];

test("an exchange's own records are screened by the mapping that weir map suggest prints", async () => {
  const folder = await emptyFolder();
  const [file, map, out] = ["withdrawals.ndjson", "map.yaml", "out"].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));

  const suggested = await run(["map", "suggest", file]);
  expect(suggested.status).toBe(0);
  await writeFile(map, suggested.stdout);
  const checked = await run(["map", "check", file, "--map", map]);
  await run(["screen", file, "--map", map, "--out", out]);

  expect(checked.status).toBe(2);
  expect(checked.stdout).toContain(
    '  after   {"id":"w1","chain_id":"tron","type":"address","address":"TA9SpmD6Fne54b4jEWpCDaHUECdJitspmo"}\n',
  );
  expect(checked.stdout).toContain(
    "  fault   no screened chain: XRP Ledger (XRP) is a chain that Weir does not screen\n",
  );
  expect(checked.stdout).toMatch(/ {2}fault {3}no address of Ethereum: /);
  expect(checked.stdout).toMatch(/^4 rows: 2 can be screened, 2 cannot$/m);
  expect((await outcomesIn(out)).map((line) => line.split(" ", 3).join(" "))).toEqual([
    "1 ALLOW",
    "2 ALLOW",
    "3 UNKNOWN CHAIN_UNSUPPORTED",
    "4 UNKNOWN ADDRESS_INVALID",
  ]);
});

test("weir map lists the presets, and shows each", async () => {
  const { status, stdout } = await run(["map", "list"]);
  expect(status).toBe(0);
  expect(stdout).toContain("etherscan");
  expect(await run(["map", "show", "tronscan"])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("chain: tron"),
  });
  expect(await run(["map", "show", "no-preset"])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("etherscan"),
  });
});
