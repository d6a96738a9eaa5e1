import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, readlink } from "node:fs/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  holderIn,
  isForeign,
  isRunning,
  lockText,
  named,
  ownHost,
} from "../../../../../src/adapters/files/lock/lock-holder.ts";
import { eventually } from "../../../../support/eventually.ts";

const gone = spawnSync(process.execPath, ["--version"]).pid;
const own = process.pid;
const HERE = "a131d560-49fa-45cd-a1d4-86bb3e75994a/4026531836";

test("the text of a lock names its process, and no two texts are equal", async () => {
  const [one, other] = [await lockText(own, HERE), await lockText(own, HERE)];

  expect(one).toMatch(new RegExp(`^${own} (\\d+|-) ${HERE}/[0-9a-f-]{36}$`));
  expect(holderIn(one)).toMatchObject({ pid: own, place: HERE });
  expect(one).not.toBe(other);
  expect(holderIn(one)).toEqual(holderIn(other));
});

test.each([
  [`12 345 ${HERE}/abc-def`, { pid: 12, started: "345", place: HERE }],
  ["12 - -/-/abc-def\n", { pid: 12, started: "-", place: "-/-" }],
  ["12 345 abc-def", { pid: 12, started: "345", place: undefined }],
  ["12 - abc-def\n", { pid: 12, started: "-", place: undefined }],
  ["12", { pid: 12, started: "-", place: undefined }],
  ["", undefined],
  ["0", undefined],
  ["x", undefined],
  ["-1", undefined],
  ["12 345", undefined],
  ["12 345 a b", undefined],
  ["12 345 a/b", undefined],
  ["12 345 a/b/", undefined],
  ["12 345 a/b/c/d", undefined],
])("%j names %j", (text, holder) => {
  expect(holderIn(text)).toEqual(holder);
});

test("an earlier version reads process and start in the text of this version", async () => {
  const earlier = /^(\d+)(?: (\d+|-) \S+)?$/;

  expect(earlier.exec(await lockText(own, HERE))?.[1]).toBe(String(own));
  expect(earlier.exec(await lockText(own, "-/-"))?.[1]).toBe(String(own));
});

test("a host is the boot of the machine and the process namespace, where the system reports them", async () => {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "-");
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "-");

  expect(await ownHost()).toBe(`${boot.trim()}/${namespace.replaceAll(/[^\d-]/g, "")}`);
});

describe("a holder", () => {
  const [boot, namespace] = HERE.split("/");

  test.each([
    ["of this place", HERE, HERE, false],
    ["of an earlier version", undefined, HERE, false],
    ["of another namespace", `${boot}/4026532836`, HERE, true],
    ["of another machine", `b${boot?.slice(1)}/${namespace}`, HERE, true],
    ["of a place that nothing tells", "-/-", HERE, true],
    ["of a place that nothing tells, like ours", "-/-", "-/-", true],
    ["of a machine that nothing tells, like ours", `-/${namespace}`, `-/${namespace}`, true],
    ["of a namespace that nothing tells, like ours", `${boot}/-`, `${boot}/-`, true],
  ])("%s: only its heartbeat, or its process, shows whether it lives", (_name, place, here, foreign) => {
    expect(isForeign({ pid: 1, started: "-", place }, here)).toBe(foreign);
  });

  test("is named with its process, and with a note when it is on another host", () => {
    const holder = { pid: 12, started: "-" };

    expect(named({ ...holder, place: HERE }, HERE)).toBe("process 12");
    expect(named({ ...holder, place: "-/-" }, "-/-")).toBe("process 12");
    expect(named({ ...holder, place: undefined }, HERE)).toBe("process 12");
    expect(named({ ...holder, place: "-/-" }, HERE)).toBe("process 12 of another container or machine");
  });
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
  const startOf = async (pid: number) => holderIn(await lockText(pid, HERE))?.started ?? "";

  test("the same process runs, and so does this process", async () => {
    expect(await isRunning({ pid: process.ppid, started: await startOf(process.ppid) }, own)).toBe(true);
    expect(await isRunning({ pid: own, started: await startOf(own) }, own)).toBe(true);
  });

  test("a process that reuses the id of another one is a different process", async () => {
    expect(await isRunning({ pid: process.ppid, started: "1" }, own)).toBe(false);
    expect(await isRunning({ pid: own, started: "1" }, own)).toBe(false);
  });

  test("a process that has ended does not run, even when its status was not collected", async () => {
    const parent = spawn("sh", ["-c", "sleep 0.3 & echo $!; exec sleep 30"], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void parent.kill());
    const [bytes] = (await once(parent.stdout, "data")) as [Buffer];
    const holder = holderIn(await lockText(Number(bytes.toString()), HERE));
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
