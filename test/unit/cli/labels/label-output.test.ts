import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { fileOutput } from "../../../../src/cli/labels/label-output.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import { emptyFolder } from "../../../support/folder.ts";

async function places() {
  const folder = await emptyFolder();
  return { folder, file: path.join(folder, "out.csv"), unfinished: path.join(folder, "out.csv.tmp") };
}

test("a file appears when it is complete", async () => {
  const { folder, file, unfinished } = await places();
  const output = await fileOutput(file, unfinished);

  await output.write("a\n");
  await output.write("b\n");
  expect(await readdir(folder)).toEqual(["out.csv.tmp"]);
  await output.finish();

  expect(await readdir(folder)).toEqual(["out.csv"]);
  expect(await readFile(file, "utf8")).toBe("a\nb\n");
});

test("discarded output leaves no file", async () => {
  const { folder, file, unfinished } = await places();
  const output = await fileOutput(file, unfinished);

  await output.write("a\n");
  await output.discard();

  expect(await readdir(folder)).toEqual([]);
});

test("an existing file is refused at once, and one that appears later is not replaced", async () => {
  const { folder, file, unfinished } = await places();
  const output = await fileOutput(file, unfinished);
  await output.write("ours");
  await writeFile(file, "theirs");

  await expect(output.finish()).rejects.toThrow("the file exists already: name another file, or remove this one");
  await output.discard();
  await expect(fileOutput(file, unfinished)).rejects.toThrow(ConfigInvalidError);
  expect(await readdir(folder)).toEqual(["out.csv"]);
  expect(await readFile(file, "utf8")).toBe("theirs");
});

test("an absent folder is reported", async () => {
  const { folder } = await places();
  const file = path.join(folder, "none", "out.csv");

  await expect(fileOutput(file, `${file}.tmp`)).rejects.toThrow(/^--out .*out\.csv: ENOENT/);
});
