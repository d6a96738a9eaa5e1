import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { readKeys } from "../../../src/cli/keys.ts";
import { ConfigInvalidError } from "../../../src/kernel/errors.ts";
import { emptyFolder } from "../../support/folder.ts";

const names = { file: "KEY_FILE", values: "KEYS" };

async function keysOf(options: { file?: string; values?: readonly string[] }): Promise<readonly string[]> {
  const keys = await readKeys({ file: options.file, values: options.values, names });
  return keys.map((key) => key.reveal());
}

async function fileOf(content: string): Promise<string> {
  const file = path.join(await emptyFolder(), "keys");
  await writeFile(file, content);
  return file;
}

test("keys come from a variable, without white space and empty ones", async () => {
  expect(await keysOf({ values: [" a ", "", "b"] })).toEqual(["a", "b"]);
});

test("keys come from a file, one a line, whatever its line ends", async () => {
  expect(await keysOf({ file: await fileOf("a\r\n\n  b  \nc") })).toEqual(["a", "b", "c"]);
});

test("a file is preferred to a variable", async () => {
  expect(await keysOf({ file: await fileOf("from-file"), values: ["from-variable"] })).toEqual(["from-file"]);
});

test.each<[string, readonly string[] | undefined]>([
  ["no variable", undefined],
  ["an empty variable", []],
  ["a variable of blanks", [" ", ""]],
])("%s is no key, and the message says what to set", async (_name, values) => {
  const reading = readKeys({ file: undefined, values, names });

  await expect(reading).rejects.toThrow(
    new ConfigInvalidError("no API key: set KEYS, or put one in a file and set KEY_FILE"),
  );
});

test("a file without a key does not fall back to the variable", async () => {
  await expect(keysOf({ file: await fileOf("\n"), values: ["a"] })).rejects.toThrow(/^no API key/);
});

test("a file that cannot be read is named with its variable", async () => {
  await expect(keysOf({ file: "/nowhere/keys" })).rejects.toThrow(/^KEY_FILE: cannot read \/nowhere\/keys: ENOENT/);
});
