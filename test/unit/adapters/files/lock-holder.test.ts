import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { holderIn, isRunning, lockText } from "../../../../src/adapters/files/lock-holder.ts";
import { eventually } from "../../../support/eventually.ts";

const gone = spawnSync(process.execPath, ["--version"]).pid;
const own = process.pid;

test("the text of a lock names its process, and no two are alike", async () => {
  const [one, other] = [await lockText(own), await lockText(own)];

  expect(one).toMatch(new RegExp(`^${own} (\\d+|-) [0-9a-f-]{36}$`));
  expect(one).not.toBe(other);
  expect(holderIn(one)).toEqual(holderIn(other));
});

test.each([
  ["12 345 abc-def", { pid: 12, started: "345" }],
  ["12 - abc-def\n", { pid: 12, started: "-" }],
  ["12", { pid: 12, started: "-" }],
  ["", undefined],
  ["0", undefined],
  ["x", undefined],
  ["-1", undefined],
  ["12 345", undefined],
  ["12 345 a b", undefined],
])("%j names %j", (text, holder) => {
  expect(holderIn(text)).toEqual(holder);
});

describe("without a known start", () => {
  test.each([
    ["a process that is gone does not run", gone, false],
    ["one that is there runs", process.ppid, true],
    ["one of our own id was an earlier one, as after the restart of a container", own, false],
  ])("%s", async (_name, pid, runs) => {
    expect(await isRunning({ pid, started: "-" }, own)).toBe(runs);
  });
});

describe.runIf(existsSync("/proc/self/stat"))("with a known start", () => {
  const startOf = async (pid: number) => holderIn(await lockText(pid))?.started ?? "";

  test("the same process runs, ourselves too", async () => {
    expect(await isRunning({ pid: process.ppid, started: await startOf(process.ppid) }, own)).toBe(true);
    expect(await isRunning({ pid: own, started: await startOf(own) }, own)).toBe(true);
  });

  test("a process that got the id of one that is gone is not that one", async () => {
    expect(await isRunning({ pid: process.ppid, started: "1" }, own)).toBe(false);
    expect(await isRunning({ pid: own, started: "1" }, own)).toBe(false);
  });

  test("a process that has ended does not run, even when nobody has asked how it ended", async () => {
    const parent = spawn("sh", ["-c", "sleep 0.3 & echo $!; exec sleep 30"], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void parent.kill());
    const [bytes] = (await once(parent.stdout, "data")) as [Buffer];
    const holder = holderIn(await lockText(Number(bytes.toString())));
    if (holder === undefined) throw new Error("the child wrote no process id");

    const runs = await eventually(
      () => isRunning(holder, own),
      (value) => !value,
      "the child runs",
    );

    expect(holder.started).toMatch(/^\d+$/);
    expect(runs).toBe(false);
  });
});
