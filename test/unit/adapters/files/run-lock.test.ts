import { spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { lockDirectory } from "../../../../src/adapters/files/run-lock.ts";
import { OutputUnwritableError } from "../../../../src/kernel/errors.ts";
import { emptyFolder } from "../../../support/folder.ts";

/** A process that was alive once and is not any more. */
const gone = spawnSync(process.execPath, ["--version"]).pid;
const alive = process.ppid;

test("a lock names its process, and is gone once it is released", async () => {
  const folder = await emptyFolder();

  const release = await lockDirectory(folder, process.pid);
  const held = await readFile(path.join(folder, ".lock"), "utf8");
  await release();

  expect(held).toBe(String(process.pid));
  expect(await readdir(folder)).toEqual([]);
});

test("a second run is kept out while the first one lives, and told what to do", async () => {
  const folder = await emptyFolder();
  await lockDirectory(folder, alive);

  const second = lockDirectory(folder, process.pid);

  await expect(second).rejects.toBeInstanceOf(OutputUnwritableError);
  await expect(second).rejects.toThrow(`${folder} is in use by process ${alive}: wait for it, or choose another --out`);
  expect(await readFile(path.join(folder, ".lock"), "utf8")).toBe(String(alive));
  expect(await readdir(folder)).toEqual([".lock"]);
});

test.each([
  ["a process that is gone", String(gone)],
  ["this process, as after the restart of a container", String(process.pid)],
  ["nobody", ""],
  ["nonsense", "x"],
])("the lock of %s is taken over", async (_name, content) => {
  const folder = await emptyFolder();
  await writeFile(path.join(folder, ".lock"), content);

  const release = await lockDirectory(folder, process.pid);

  expect(await readFile(path.join(folder, ".lock"), "utf8")).toBe(String(process.pid));
  await release();
  expect(await readdir(folder)).toEqual([]);
});

test("of two runs that start at once, one gets the directory", async () => {
  for (let round = 0; round < 100; round++) {
    const folder = await emptyFolder();

    const outcomes = await Promise.allSettled([lockDirectory(folder, process.pid), lockDirectory(folder, alive)]);

    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await readdir(folder)).toEqual([".lock"]);
  }
});

test("a directory that cannot be written says so", async () => {
  await expect(lockDirectory("/nowhere/at/all", process.pid)).rejects.toThrow(
    /^cannot write to \/nowhere\/at\/all: ENOENT/,
  );
});
