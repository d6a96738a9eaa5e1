import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { readCases } from "../../../../src/cli/adapter-check/case-file.ts";
import { emptyFolder } from "../../../support/folder.ts";

const whole = { operation: "address-poisoning", question: { chain: "1" }, response: { body: {} }, expect: "ALLOW" };

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await emptyFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  return folder;
}

test("every JSON file is a case, in the order of the names, and a response is a 200 by default", async () => {
  const failed = { ...whole, response: { status: 404, headers: { a: "b" }, body: null }, expect: { "0x": "UNKNOWN" } };
  const cases = await readCases(
    await folderOf({ "b.json": JSON.stringify(failed), "a.json": JSON.stringify(whole), "notes.md": "" }),
  );
  expect(cases).toMatchObject([
    { name: "a.json", response: { status: 200, headers: {}, body: {} }, needs: [] },
    { name: "b.json", response: failed.response, expect: failed.expect },
  ]);
});

test.each([
  ["{", "cannot be read as JSON"],
  [JSON.stringify({ ...whole, operation: "risk" }), "operation: must be one of address-poisoning, "],
  [JSON.stringify({ ...whole, expected: "ALLOW" }), "the file: unknown field expected"],
  [JSON.stringify({ ...whole, response: { status: 99, body: {} } }), "response.status: must be at least 100"],
  [
    JSON.stringify({ ...whole, expect: "CLEAN" }),
    "expect: must be one of ALLOW, WARN, UNKNOWN, BLOCK, LATER; of a batch an object by address",
  ],
])("%s is refused: %s", async (text, detail) => {
  const folder = await folderOf({ "a.json": text });
  await expect(readCases(folder)).rejects.toThrow(`${path.join(folder, "a.json")}: ${detail}`);
});

test("a folder that is absent, or holds no case, is reported", async () => {
  await expect(readCases("/no/such/folder")).rejects.toThrow("cannot read the folder of cases /no/such/folder");
  const folder = await folderOf({ "notes.md": "" });
  await expect(readCases(folder)).rejects.toThrow(`${folder} holds no case: write one file NAME.json`);
});
