import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { fixedKey, openKey, readKeys } from "../../../../src/cli/config/keys.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import { Secret } from "../../../../src/kernel/secret.ts";
import { emptyFolder } from "../../../support/folder.ts";

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

test("keys of a variable are read without white space and empty entries", async () => {
  expect(await keysOf({ values: [" a ", "", "b"] })).toEqual(["a", "b"]);
});

test("keys of a file are read one a line, with any line ends", async () => {
  expect(await keysOf({ file: await fileOf("a\r\n\n  b  \nc") })).toEqual(["a", "b", "c"]);
});

test("a file is preferred to a variable", async () => {
  expect(await keysOf({ file: await fileOf("from-file"), values: ["from-variable"] })).toEqual(["from-file"]);
});

test.each<[string, readonly string[] | undefined]>([
  ["no variable", undefined],
  ["an empty variable", []],
  ["a variable of blanks", [" ", ""]],
])("%s is no key, and the message names the setting", async (_name, values) => {
  const reading = readKeys({ file: undefined, values, names });

  await expect(reading).rejects.toThrow(
    new ConfigInvalidError("no API key: set KEYS, or put one in a file and set KEY_FILE"),
  );
});

test.each(["cl\u00e9", "a\tb", "a\u201c"])(
  "a key with characters that no header accepts is refused, and not printed: %j",
  async (bad) => {
    const message = (source: string, at: number) =>
      new ConfigInvalidError(
        `${source}: key ${at} contains characters that are not printable ASCII: an HTTP header cannot carry them; write the key again`,
      );

    await expect(keysOf({ values: ["good", bad] })).rejects.toThrow(message("KEYS", 2));
    await expect(keysOf({ file: await fileOf(`${bad}\n`) })).rejects.toThrow(message("KEY_FILE", 1));
  },
);

test("a file without a key does not fall back to the variable", async () => {
  await expect(keysOf({ file: await fileOf("\n"), values: ["a"] })).rejects.toThrow(/^no API key/);
});

test("an unreadable file is named with its variable", async () => {
  await expect(keysOf({ file: "/nowhere/keys" })).rejects.toThrow(/^KEY_FILE: cannot read \/nowhere\/keys: ENOENT/);
});

describe("a key that may change", () => {
  const open = (file: string) => openKey({ file, values: ["of the variable"], names });

  test("is the first of its file, and changes after a reload of the changed file", async () => {
    const file = await fileOf("\nold\nspare\n");
    const key = await open(file);
    await writeFile(file, "new\n");

    const before = key.current().reveal();
    const changed = await key.reload();

    expect([before, changed, key.current().reveal()]).toEqual(["old", true, "new"]);
  });

  test("is unchanged when only the white space of the file differs", async () => {
    const file = await fileOf("same");
    const key = await open(file);
    await writeFile(file, "\r\n same \r\nspare");

    expect(await key.reload()).toBe(false);
    expect(key.current().reveal()).toBe("same");
  });

  test.each<[string, (file: string) => Promise<void>]>([
    ["emptied", (file) => writeFile(file, "")],
    ["left with blanks", (file) => writeFile(file, " \n\n")],
    ["gone", (file) => rm(file)],
  ])("stays while its file is %s, and changes once there is a key again", async (_how, ruin) => {
    const file = await fileOf("old");
    const key = await open(file);
    await ruin(file);

    const changed = await key.reload();
    const kept = key.current().reveal();
    await writeFile(file, "new");

    expect([changed, kept]).toEqual([false, "old"]);
    expect(await key.reload()).toBe(true);
    expect(key.current().reveal()).toBe("new");
  });

  test("is read once for all parallel callers, and again afterwards", async () => {
    const file = await fileOf("old");
    const key = await open(file);
    await writeFile(file, "new");

    expect(await Promise.all([key.reload(), key.reload()])).toEqual([true, true]);
    expect(await key.reload()).toBe(false);
  });

  test("is required at the start", async () => {
    await expect(open("/nowhere/key")).rejects.toThrow(/^KEY_FILE: cannot read/);
    await expect(open(await fileOf(""))).rejects.toThrow(/^no API key/);
  });

  test("from a variable never changes", async () => {
    const key = await openKey({ file: undefined, values: ["first", "second"], names });

    expect(await key.reload()).toBe(false);
    expect(key.current().reveal()).toBe("first");
  });

  test("that is fixed never changes", async () => {
    const secret = new Secret("given");

    expect(await fixedKey(secret).reload()).toBe(false);
    expect(fixedKey(secret).current()).toBe(secret);
  });
});
