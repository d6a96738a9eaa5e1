import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { holderIn } from "../../../../src/adapters/files/lock-holder.ts";
import { lockDirectory } from "../../../../src/adapters/files/run-lock.ts";
import { OutputUnwritableError } from "../../../../src/kernel/errors.ts";
import { sha256 } from "../../../../src/kernel/sha256.ts";
import { emptyFolder } from "../../../support/folder.ts";

/** A process that was alive once and is not any more. */
const gone = spawnSync(process.execPath, ["--version"]).pid;
const alive = process.ppid;
const lockIn = (folder: string) => path.join(folder, ".lock");
const holderOf = async (file: string) => holderIn(await readFile(file, "utf8"))?.pid;

test("a lock names its process, and is gone once it is released", async () => {
  const folder = await emptyFolder();

  const release = await lockDirectory(folder, process.pid);
  const held = await holderOf(lockIn(folder));
  await release();

  expect(held).toBe(process.pid);
  expect(await readdir(folder)).toEqual([]);
});

test("a second run is kept out while the first one lives, and told what to do", async () => {
  const folder = await emptyFolder();
  await lockDirectory(folder, alive);

  const second = lockDirectory(folder, process.pid);

  await expect(second).rejects.toBeInstanceOf(OutputUnwritableError);
  await expect(second).rejects.toThrow(`${folder} is in use by process ${alive}: wait for it, or choose another --out`);
  expect(await holderOf(lockIn(folder))).toBe(alive);
  expect(await readdir(folder)).toEqual([".lock"]);
});

test.each([
  ["a process that is gone", String(gone)],
  ["this process, as after the restart of a container", String(process.pid)],
  ["nobody", ""],
  ["nonsense", "x"],
  ["a process that is gone, as it is written today", `${gone} 1 token`],
])("the lock of %s is taken over", async (_name, content) => {
  const folder = await emptyFolder();
  await writeFile(lockIn(folder), content);

  const release = await lockDirectory(folder, process.pid);

  expect(await holderOf(lockIn(folder))).toBe(process.pid);
  expect(await readdir(folder)).toEqual([".lock"]);
  await release();
  expect(await readdir(folder)).toEqual([]);
});

describe.runIf(existsSync("/proc/self/stat"))("where the system tells when a process started", () => {
  test("a lock whose process id was given to another is taken over", async () => {
    const folder = await emptyFolder();
    await writeFile(lockIn(folder), `${alive} 1 token`);

    await lockDirectory(folder, process.pid);

    expect(await holderOf(lockIn(folder))).toBe(process.pid);
  });

  test("a second run in the same process is kept out too", async () => {
    const folder = await emptyFolder();
    await lockDirectory(folder, process.pid);

    await expect(lockDirectory(folder, process.pid)).rejects.toThrow(`is in use by process ${process.pid}: wait`);
  });
});

describe("a run that dies while it takes a lock over", () => {
  const stale = `${gone} 1 stale`;
  const claimIn = (folder: string) => `${lockIn(folder)}.${sha256(stale).slice(0, 16)}`;

  test("does not keep the next one out", async () => {
    const folder = await emptyFolder();
    await writeFile(lockIn(folder), stale);
    await writeFile(claimIn(folder), `${gone} 1 claim`);

    const release = await lockDirectory(folder, process.pid);

    expect(await holderOf(lockIn(folder))).toBe(process.pid);
    await release();
    expect(await readdir(folder)).toEqual([]);
  });

  test("keeps the next one out as long as it lives", async () => {
    const folder = await emptyFolder();
    await writeFile(lockIn(folder), stale);
    await writeFile(claimIn(folder), `${alive} - claim`);

    await expect(lockDirectory(folder, process.pid)).rejects.toThrow(`${folder} is in use by process ${alive}: wait`);
    expect(await readFile(lockIn(folder), "utf8")).toBe(stale);
  });
});

test("only a lock that is still ours is released", async () => {
  const folder = await emptyFolder();
  const release = await lockDirectory(folder, process.pid);
  await rm(lockIn(folder));
  await lockDirectory(folder, alive);

  await release();

  expect(await holderOf(lockIn(folder))).toBe(alive);
});

describe("of six processes that find the lock of one that is gone", () => {
  const answerOf = async (child: ChildProcess) => (await once(child, "message"))[0] as string;

  test("one gets the directory, every time", async () => {
    const script = new URL("./run-lock-contender.ts", import.meta.url);
    const children = Array.from({ length: 6 }, () => fork(script));
    onTestFinished(() => {
      for (const child of children) child.disconnect();
    });
    await Promise.all(children.map(answerOf));
    for (let round = 0; round < 10; round++) {
      const folder = await emptyFolder();
      await writeFile(lockIn(folder), `${gone} 1 stale`);
      const answering = children.map(answerOf);
      for (const child of children) child.send(folder);

      const answers = await Promise.all(answering);

      const winner = children[answers.indexOf("locked")]?.pid;
      const losers = answers.filter((answer) => answer !== "locked");
      expect(losers).toHaveLength(5);
      for (const answer of losers) expect(answer).toMatch(/ is in use by process \d+: wait for it, or choose another/);
      expect(await holderOf(lockIn(folder))).toBe(winner);
      expect(await readdir(folder)).toEqual([".lock"]);
    }
  });
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
