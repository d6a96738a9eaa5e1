import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { servedLabelFiles } from "../../../../src/cli/config/label-paths.ts";
import { emptyFolder } from "../../../support/folder.ts";

const address = (digit: string) => `0x${digit.repeat(40)}`;
const header = "chain,address,name,kind,risk_level\n";
const rows = [
  `evm,${address("1")},Listed,sanctioned,`,
  `evm,${address("2")},Blocked,blocked,`,
  `1,${address("3")},Risky,exchange,4`,
  `1,${address("4")},Router,protocol,`,
  `1,${address("5")},Wallet,allowed,`,
  ",drainer.example,Site,site,5",
  ",good.example,Site,site,0",
];

async function fileOf(text: string, name: string): Promise<string> {
  const file = path.join(await emptyFolder(), name);
  await writeFile(file, text);
  return file;
}
const namesIn = async (config: { LISTS_FILES?: readonly string[]; LABELS_FILES?: readonly string[] }) => {
  const files = servedLabelFiles({ BUNDLED_LABELS: false, LISTS_FILES: [], LABELS_FILES: [], ...config });
  return (await files.load()).map(({ labels }) => [...labels].map(({ name }) => name));
};

test("a service reads the accusing rows of a list, and all rows of a label file", async () => {
  const file = await fileOf(`${header}${rows.join("\n")}\n`, "own.csv");
  const all = ["Listed", "Blocked", "Risky", "Router", "Wallet", "Site", "Site"];

  expect(await namesIn({ LISTS_FILES: [file] })).toEqual([["Listed", "Blocked", "Risky", "Site"]]);
  expect(await namesIn({ LABELS_FILES: [file] })).toEqual([all]);
  // A file with both settings is read once.
  expect(await namesIn({ LABELS_FILES: [file], LISTS_FILES: [file] })).toEqual([all]);
});

test("a service refuses a list with a row that is no entry as a whole, as the worker does", async () => {
  const file = await fileOf(`${header}${rows[0]}\nevm,0x12,Cut,blocked,\n`, "own.csv");

  await expect(namesIn({ LISTS_FILES: [file] })).rejects.toThrow(
    /list file own\.csv: a row is no entry, first line 3: /,
  );
  await expect(namesIn({ LABELS_FILES: [file] })).rejects.toThrow(
    /label file own\.csv: a row that accuses cannot be read/,
  );
});

test("a bad row of a label file that does not accuse loses only itself", async () => {
  const file = await fileOf(`${header}${rows[0]}\nevm,0x12,Cut,exchange,\n`, "own.csv");

  expect(await namesIn({ LABELS_FILES: [file] })).toEqual([["Listed"]]);
});

test("an absent list is reported with its setting", async () => {
  await expect(namesIn({ LISTS_FILES: ["/nowhere/own.csv"] })).rejects.toThrow(/correct its name in LISTS_FILES/);
});
