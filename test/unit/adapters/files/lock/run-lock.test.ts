import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { LOCK_PACE } from "../../../../../src/adapters/files/lock/lock-heartbeat.ts";
import { holderIn, ownHost } from "../../../../../src/adapters/files/lock/lock-holder.ts";
import { lockDirectory } from "../../../../../src/adapters/files/lock/run-lock.ts";
import { systemClock } from "../../../../../src/kernel/clock.ts";
import { OutputUnwritableError } from "../../../../../src/kernel/errors.ts";
import { sha256 } from "../../../../../src/kernel/hash.ts";
import { ActingClock } from "../../../../fakes/acting-clock.ts";
import { eventually } from "../../../../support/eventually.ts";
import { emptyFolder } from "../../../../support/folder.ts";

/** The id of a process that lived and has ended. */
const gone = spawnSync(process.execPath, ["--version"]).pid;
const alive = process.ppid;
const lockIn = (folder: string) => path.join(folder, ".lock");
const holderOf = async (file: string) => holderIn(await readFile(file, "utf8"))?.pid;

const place = await ownHost();
const never = new AbortController().signal;

/** Locks as process `pid` of this host, until the test ends. @returns the function that releases the lock. */
async function lock(folder: string, pid = process.pid): Promise<() => Promise<void>> {
  const lost = (error: Error) => expect.fail(error.message);
  const options = { pid, place, clock: systemClock, signal: never, warn: expect.fail, onLost: lost };
  const { release } = await lockDirectory(folder, options);
  onTestFinished(release);
  return release;
}

test("a lock names its process, and is gone after its release", async () => {
  const folder = await emptyFolder();

  const release = await lock(folder);
  const held = await holderOf(lockIn(folder));
  await release();

  expect(held).toBe(process.pid);
  expect(await readdir(folder)).toEqual([]);
});

test("a second run is refused while the first one lives, with the remedy", async () => {
  const folder = await emptyFolder();
  await lock(folder, alive);

  const second = lock(folder);

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
  ["a process that is gone, as earlier versions wrote it", `${gone} 1 token`],
  ["a process that is gone, as it is written today", `${gone} 1 ${place}/token`],
])("the lock of %s is taken over", async (_name, content) => {
  const folder = await emptyFolder();
  await writeFile(lockIn(folder), content);

  const release = await lock(folder);

  expect(await holderOf(lockIn(folder))).toBe(process.pid);
  expect(await readdir(folder)).toEqual([".lock"]);
  await release();
  expect(await readdir(folder)).toEqual([]);
});

describe.runIf(existsSync("/proc/self/stat"))("where the system reports the start of a process", () => {
  test("a lock with a process id that another process reuses is taken over", async () => {
    const folder = await emptyFolder();
    await writeFile(lockIn(folder), `${alive} 1 token`);

    await lock(folder);

    expect(await holderOf(lockIn(folder))).toBe(process.pid);
  });

  test("a second run in the same process is also refused", async () => {
    const folder = await emptyFolder();
    await lock(folder);

    await expect(lock(folder)).rejects.toThrow(`is in use by process ${process.pid}: wait`);
  });
});

describe("a run that dies during a takeover", () => {
  const stale = `${gone} 1 stale`;
  const claimIn = (folder: string) => `${lockIn(folder)}.${sha256(stale).slice(0, 16)}`;

  test("does not block the next run", async () => {
    const folder = await emptyFolder();
    await writeFile(lockIn(folder), stale);
    await writeFile(claimIn(folder), `${gone} 1 claim`);

    const release = await lock(folder);

    expect(await holderOf(lockIn(folder))).toBe(process.pid);
    await release();
    expect(await readdir(folder)).toEqual([]);
  });

  test("blocks the next run as long as it lives", async () => {
    const folder = await emptyFolder();
    await writeFile(lockIn(folder), stale);
    await writeFile(claimIn(folder), `${alive} - claim`);

    await expect(lock(folder)).rejects.toThrow(`${folder} is in use by process ${alive}: wait`);
    expect(await readFile(lockIn(folder), "utf8")).toBe(stale);
  });
});

test("only the lock of this process is released", async () => {
  const folder = await emptyFolder();
  const release = await lock(folder);
  await rm(lockIn(folder));
  await lock(folder, alive);

  await release();

  expect(await holderOf(lockIn(folder))).toBe(alive);
});

describe("the lock of a process on another host", () => {
  const elsewhere = "9131d560-49fa-45cd-a1d4-86bb3e75994a/4026531836";
  const stranger = `7 1 ${elsewhere}/token`;
  const looks = Array.from({ length: 20 }, () => 1_000);
  const ends = () => new Promise<never>(() => {});

  /** The result when `act` runs at each look, and at the wait after the takeover. */
  async function contend(act: (file: string, sleeps: number) => unknown, signal = never) {
    const folder = await emptyFolder();
    const file = lockIn(folder);
    await writeFile(file, stranger);
    const said: string[] = [];
    const lost: string[] = [];
    const clock = new ActingClock(async (ms) => {
      if (ms === LOCK_PACE.beatMs) await ends();
      await act(file, clock.slept.filter((slept) => slept !== LOCK_PACE.beatMs).length);
    });
    const warn = (message: string) => void said.push(message);
    const onLost = ({ message }: Error) => void lost.push(message);
    const outcome = await lockDirectory(folder, { pid: process.pid, place, clock, signal, warn, onLost }).then(
      ({ release }) => release().then(() => "locked"),
      (thrown: unknown) => thrown,
    );
    const slept = clock.slept.filter((ms) => ms !== LOCK_PACE.beatMs);
    return { folder, outcome, said, lost, slept, left: await readdir(folder) };
  }

  test("is taken over after 20 s without a refresh, and used after one more lease", async () => {
    const { folder, outcome, said, slept, left } = await contend(() => {});

    expect(outcome).toBe("locked");
    expect(slept).toEqual([...looks, 10_000]);
    expect(said).toEqual([
      `${folder} is locked by process 7 of another container or machine; waiting up to 30 s to see whether it lives`,
    ]);
    expect(left).toEqual([]);
  });

  test("blocks others after a refresh", async () => {
    const { folder, outcome, slept, left } = await contend((file, sleeps) => sleeps === 4 && utimes(file, 1, 1));

    expect(outcome).toBeInstanceOf(OutputUnwritableError);
    expect((outcome as Error).message).toBe(
      `${folder} is in use by process 7 of another container or machine: wait for it, or choose another --out`,
    );
    expect(slept).toEqual([1_000, 1_000, 1_000, 1_000]);
    expect(left).toEqual([".lock"]);
  });

  test("stays with its holder when the holder wakes after the last look, before the takeover", async () => {
    const { outcome, slept, left } = await contend(async (file, sleeps) => {
      // A dead holder's claim on the lock is watched for the same time before a process may replace the lock.
      if (sleeps === 1) await writeFile(`${file}.${sha256(stranger).slice(0, 16)}`, `7 1 ${elsewhere}/dead`);
      if (sleeps > 20) await utimes(file, sleeps, sleeps);
    });

    expect((outcome as Error).message).toContain(" is in use by process 7 of another container or machine: wait");
    expect(slept).toEqual([...looks, ...looks, 1_000]);
    expect(left).toEqual([".lock"]);
  });

  test("is not waited for after its release", async () => {
    const { outcome, slept } = await contend((file) => rm(file));

    expect(outcome).toBe("locked");
    expect(slept).toEqual([1_000]);
  });

  test("stays unchanged when the wait is aborted", async () => {
    const stopped = new AbortController();
    const { folder, outcome } = await contend((_file, sleeps) => sleeps === 2 && stopped.abort(), stopped.signal);

    expect(outcome).toBe(stopped.signal.reason);
    expect(await readFile(lockIn(folder), "utf8")).toBe(stranger);
  });

  test("is left to the process that replaced it, before any write", async () => {
    const another = `8 1 ${elsewhere}/another`;
    const { folder, outcome, lost } = await contend((file, sleeps) => sleeps === 21 && writeFile(file, another));

    const message = `${folder} was taken over by process 8 of another container or machine while this run stood still; nothing more is written: start again once no other run is at it, or choose another --out`;
    expect((outcome as Error).message).toBe(message);
    expect(lost).toEqual([message]);
    expect(await readFile(lockIn(folder), "utf8")).toBe(another);
  });

  test("is released when the wait is aborted after the takeover", async () => {
    const stopped = new AbortController();
    const abort = () => {
      stopped.abort();
      throw stopped.signal.reason;
    };
    const { outcome, left } = await contend((_file, sleeps) => sleeps === 21 && abort(), stopped.signal);

    expect(outcome).toBe(stopped.signal.reason);
    expect(left).toEqual([]);
  });

  test("of this host is refreshed for contenders on other hosts, before any write", async () => {
    const folder = await emptyFolder();
    const before = Date.now() - 1;
    await lock(folder);

    expect((await stat(lockIn(folder))).mtimeMs).toBeGreaterThanOrEqual(before);
  });
});

test("a lock that was removed is reported as lost", async () => {
  const folder = await emptyFolder();
  const lost: string[] = [];
  let beat = () => {};
  const clock = new ActingClock(() => new Promise((resolve) => (beat = resolve)));
  const onLost = ({ message }: Error) => void lost.push(message);
  const options = { pid: process.pid, place, clock, signal: never, warn: expect.fail, onLost };
  const { confirm } = await lockDirectory(folder, options);
  await rm(lockIn(folder));

  beat();
  await eventually(
    () => lost,
    ({ length }) => length > 0,
    "it is told",
  );

  const message = `the lock of ${folder} is gone: somebody removed it, or another run had ${folder} while this one stood still; nothing more is written: start again once no other run is at it, or choose another --out`;
  expect(lost).toEqual([message]);
  await expect(confirm()).rejects.toThrow(message);
});

test("of two runs that start at once, exactly one gets the directory", async () => {
  for (let round = 0; round < 100; round++) {
    const folder = await emptyFolder();

    const outcomes = await Promise.allSettled([lock(folder), lock(folder, alive)]);

    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await readdir(folder)).toEqual([".lock"]);
  }
});

test("a directory that cannot be written is reported", async () => {
  await expect(lock("/nowhere/at/all")).rejects.toThrow(/^cannot write to \/nowhere\/at\/all: ENOENT/);
});
