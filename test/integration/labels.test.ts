import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder } from "../support/folder.ts";
import { run } from "../support/weir.ts";

test("an imported list is a label file by which addresses are known", async () => {
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
  expect(imported.stderr.split("\n").slice(0, 2)).toEqual([
    `${list}: 2 rows: 1 labels, 0 given twice, 1 refused`,
    `  ${list}:2: address: must start with T, or with 41 in hex`,
  ]);
  expect(await readFile(labels, "utf8")).toBe(
    `chain,address,name,kind,full_name\ntron,${sanctioned},sanctioned address,sanctioned,\n`,
  );
  expect([checked.status, checked.stdout]).toEqual([2, `is sanctioned sanctioned address on TRON: ${sanctioned}\n`]);
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
  ["0x1111111254fb6c44bac0bed2854e76f90643097d", 0, "no label, and nothing it resembles, on Ethereum\n"],
])("weir labels check %s", async (address, status, stdout) => {
  expect(await run(["labels", "check", address])).toMatchObject({ status, stdout });
});

test("what is no address of the chain is said", async () => {
  const { status, stderr } = await run(["labels", "check", "0x12"]);

  expect(status).toBe(1);
  expect(stderr).toBe("weir: 0x12 is no address of Ethereum: must have 40 hex digits after 0x, has 2\n");
});

test("what is no address of any chain is not taken for one of Solana's", async () => {
  const { status, stdout, stderr } = await run(["labels", "check", "nonsense"]);

  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^weir: "nonsense" is no address: EVM: must start with 0x; TRON: .*; Solana: .*; Bitcoin: /);
});
