import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { emptyForDemo } from "../../../../src/cli/demo/demo-folder.ts";
import { lockOutput } from "../../../../src/cli/screen/output-lock.ts";
import { OutputUnwritableError } from "../../../../src/kernel/errors.ts";
import { emptyFolder } from "../../../support/folder.ts";

const wait = { signal: new AbortController().signal, warn: (message: string) => expect.fail(message) };
const LEFT = ["archive", "quota.json", "run.json", "tickets.ndjson", "verdicts.ndjson"];

/** The output of an earlier demo, and an operator's own file. */
async function demoFolder(): Promise<string> {
  const folder = await emptyFolder();
  await mkdir(path.join(folder, "archive"));
  for (const file of [...LEFT.slice(1), ".demo", "notes.txt"]) await writeFile(path.join(folder, file), "x");
  return folder;
}

test("the output of an earlier demo is removed, and nothing else", async () => {
  const folder = await demoFolder();

  await emptyForDemo(folder, wait);

  expect(await readdir(folder)).toEqual([".demo", "notes.txt"]);
});

test("a new folder is made, and marked as a demo's", async () => {
  const folder = path.join(await emptyFolder(), "made", "for-it");

  await emptyForDemo(folder, wait);

  expect(await readdir(folder)).toEqual([".demo"]);
});

test("nothing of a running demo is removed", async () => {
  const folder = await demoFolder();
  const { release } = await lockOutput(folder, { ...wait, onLost: ({ message }) => expect.fail(message) });
  onTestFinished(release);

  const emptying = emptyForDemo(folder, wait);

  await expect(emptying).rejects.toBeInstanceOf(OutputUnwritableError);
  await expect(emptying).rejects.toThrow(`${folder} is in use by process ${process.pid}: wait for it, or choose`);
  expect((await readdir(folder)).sort()).toEqual([".demo", ".lock", ...LEFT, "notes.txt"].sort());
});

test("a folder with a file that no demo left is refused, and stays unchanged", async () => {
  const folder = await emptyFolder();
  await writeFile(path.join(folder, "verdicts.ndjson"), "x");

  await expect(emptyForDemo(folder, wait)).rejects.toThrow(
    `${folder} is not empty and holds no earlier demo: choose another --out`,
  );
  expect(await readdir(folder)).toEqual(["verdicts.ndjson"]);
});

test("a folder that cannot be made is reported", async () => {
  const file = path.join(await emptyFolder(), "file");
  await writeFile(file, "");

  await expect(emptyForDemo(path.join(file, "out"), wait)).rejects.toThrow(
    /^cannot write to .*: (ENOTDIR|EEXIST).*: choose another --out$/,
  );
});
