import { writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { ListFile } from "../../../../../../src/adapters/files/labels/formats/list-file.ts";
import { emptyFolder } from "../../../../../support/folder.ts";

async function fileOf(name: string, bytes: Buffer): Promise<string> {
  const file = path.join(await emptyFolder(), name);
  await writeFile(file, bytes);
  return file;
}

const text = `\uFEFFä${"€".repeat(300_000)}`;
const whole = async (file: ListFile) => (await Array.fromAsync(file.pieces())).join("");

test.each([
  ["plain", "a.txt", Buffer.from(text), Buffer.byteLength(text)],
  ["packed", "a.gz", gzipSync(text), undefined],
])(
  "a %s file returns its text any number of times, each time without its byte order mark",
  async (_how, name, bytes, size) => {
    const file = await ListFile.at(await fileOf(name, bytes));

    expect((await file.head()).length).toBeGreaterThan(65_535);
    expect(await whole(file)).toBe(text.slice(1));
    expect(await whole(file)).toBe(text.slice(1));
    expect(file).toMatchObject({ isRepeatable: true, size, passes: 2, bytes: Buffer.byteLength(text) });
    await file.close();
  },
);

test("a short file is its own head", async () => {
  const file = await ListFile.at(await fileOf("a.txt", Buffer.from("ab")));

  expect([await file.head(), await file.head(), await whole(file)]).toEqual(["ab", "ab", "ab"]);
});

test("an absent file, and one without text, are reported", async () => {
  await expect((await ListFile.at("/nowhere/a.txt")).head()).rejects.toThrow("ENOENT");
  const xlsx = await ListFile.at(await fileOf("a.csv", Buffer.from("504b0304aabbccdd", "hex")));
  await expect(xlsx.head()).rejects.toThrow("Excel workbook");
});
