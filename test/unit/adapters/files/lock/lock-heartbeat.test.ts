import { mkdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Heartbeat, isRefreshed, LOCK_PACE } from "../../../../../src/adapters/files/lock/lock-heartbeat.ts";
import { OutputUnwritableError } from "../../../../../src/kernel/errors.ts";
import { ActingClock } from "../../../../fakes/acting-clock.ts";
import { VirtualClock } from "../../../../fakes/virtual-clock.ts";
import { eventually } from "../../../../support/eventually.ts";
import { emptyFolder } from "../../../../support/folder.ts";

const MINE = "1 2 place/mine";

async function lockFile(text = MINE): Promise<string> {
  const file = path.join(await emptyFolder(), ".lock");
  await writeFile(file, text);
  return file;
}

const mtimeOf = async (file: string) => (await stat(file)).mtimeMs;

/** A running heartbeat, and its reports. */
async function beating(file: string, clock = new VirtualClock()) {
  const told: string[] = [];
  const heartbeat = new Heartbeat({
    file,
    mine: MINE,
    clock,
    pace: LOCK_PACE,
    lost: (text) => new Error(`lost to ${text}`),
    onLost: ({ message }) => void told.push(message),
  });
  onTestFinished(() => heartbeat.stop());
  await heartbeat.start();
  return { heartbeat, clock, told };
}

test("a lock is refreshed when it is taken and every 3 s, with the time of its holder", async () => {
  const file = await lockFile();
  const { clock } = await beating(file);

  expect(await mtimeOf(file)).toBe(clock.now());
  for (let beat = 0; beat < 3; beat++) {
    await eventually(
      () => clock.sleeping,
      (sleeping) => sleeping === 1,
      "the heart waits for its next beat",
    );
    await clock.advance(3_000);
    const now = clock.now();
    await eventually(
      () => mtimeOf(file),
      (mtimeMs) => mtimeMs === now,
      "the lock is refreshed",
    );
  }
});

test("after a stop no caller waits for a heartbeat, and its result is not reported", async () => {
  const file = await lockFile();
  const { heartbeat, clock, told } = await beating(file);

  heartbeat.stop();
  await rm(file);

  await expect(heartbeat.beat()).rejects.toThrow("lost to undefined");
  expect(clock.sleeping).toBe(0);
  expect(told).toEqual([]);
});

describe("a lock that another process has taken", () => {
  test.each([
    ["taken over", (file: string) => writeFile(file, "3 4 place/theirs"), "lost to 3 4 place/theirs"],
    ["removed", (file: string) => rm(file), "lost to undefined"],
  ])("is reported at the next heartbeat, once: %s", async (_name, change, message) => {
    const file = await lockFile();
    const { heartbeat, clock, told } = await beating(file);
    await change(file);

    await clock.advance(3_000);
    await eventually(
      () => told,
      ({ length }) => length > 0,
      "it is told",
    );

    expect(told).toEqual([message]);
    await expect(heartbeat.confirm()).rejects.toThrow(message);
    expect(told).toEqual([message]);
    expect(clock.sleeping).toBe(0);
  });
});

/** A clock of a process without heartbeats: its timers fire later than its writes. */
class StoppedClock extends VirtualClock {
  ticked = 0;
  passed = 0;

  override ticks(): number {
    return super.ticks() + this.ticked;
  }

  override now(): number {
    return super.now() + this.passed;
  }
}

describe("a writer", () => {
  test("does not wait for a look at the lock within 10 s of a heartbeat", async () => {
    const file = await lockFile();
    const clock = new StoppedClock();
    const { heartbeat } = await beating(file, clock);
    await rm(file);
    clock.ticked = clock.passed = 9_999;

    await expect(heartbeat.confirm()).resolves.toBeUndefined();
  });

  test.each([
    ["stopped, while the machine's clock was set back", { ticked: 10_000, passed: -3_600_000 }],
    ["asleep together with its machine, whose ticks stand still then", { ticked: 0, passed: 10_000 }],
  ])("gets an error for a lost lock after 10 s without a heartbeat, before the next one: %s", async (_name, gap) => {
    const file = await lockFile();
    const clock = new StoppedClock();
    const { heartbeat, told } = await beating(file, clock);
    await writeFile(file, "3 4 place/theirs");
    Object.assign(clock, gap);

    await expect(heartbeat.confirm()).rejects.toThrow("lost to 3 4 place/theirs");
    expect(told).toEqual(["lost to 3 4 place/theirs"]);
  });

  test("goes on after a gap when no other process took the lock, and the lock is refreshed", async () => {
    const file = await lockFile();
    const clock = new StoppedClock();
    const { heartbeat } = await beating(file, clock);
    clock.ticked = clock.passed = 3_600_000;

    await heartbeat.confirm();

    expect(await mtimeOf(file)).toBe(clock.now());
  });

  test("gets an error after three heartbeats that each take longer than a lease, without a fourth", async () => {
    const file = await lockFile();
    /** Each look at the lock comes 10 s after the previous one. */
    class SlowClock extends VirtualClock {
      looks = 0;

      override ticks(): number {
        return super.ticks() + 10_000 * this.looks++;
      }
    }
    const clock = new SlowClock();
    const { heartbeat, told } = await beating(file, clock);
    const before = clock.looks;

    await expect(heartbeat.confirm()).rejects.toThrow(
      new OutputUnwritableError(
        `cannot refresh ${file} in time: 3 times in a row it took longer than 10000 ms: choose an --out on a faster disk`,
      ),
    );
    expect(clock.looks - before).toBe(7);
    expect(told).toEqual([]);
  });

  test("goes on when the third heartbeat is fast enough", async () => {
    const file = await lockFile();
    let looks = 0;
    class WakingClock extends StoppedClock {
      override ticks(): number {
        // Two looks at each heartbeat: before and after.
        if (looks > 0 && --looks > 0) this.ticked += 10_000;
        return super.ticks();
      }
    }
    const clock = new WakingClock();
    const { heartbeat } = await beating(file, clock);
    looks = 6;

    await expect(heartbeat.confirm()).resolves.toBeUndefined();
    expect(looks).toBe(0);
  });

  test("gets an error while the owner of the lock cannot be read, and goes on after that", async () => {
    const file = await lockFile();
    const clock = new StoppedClock();
    const { heartbeat, told } = await beating(file, clock);
    await rm(file);
    await mkdir(file);
    clock.ticked = 10_000;

    await expect(heartbeat.confirm()).rejects.toThrow("EISDIR");
    await rm(file, { recursive: true });
    await writeFile(file, MINE);

    await expect(heartbeat.confirm()).resolves.toBeUndefined();
    expect(told).toEqual([]);
  });
});

describe("a lock that is watched", () => {
  async function watched(onLook: (file: string, looks: number) => Promise<void>) {
    const file = await lockFile();
    const clock = new ActingClock(() => onLook(file, clock.slept.length));
    const found = { text: MINE, mtimeMs: await mtimeOf(file) };
    const { signal } = new AbortController();
    return { refreshed: await isRefreshed(file, found, { clock, pace: LOCK_PACE, signal }), slept: clock.slept };
  }

  test("counts as dead after 20 equal looks, one a second", async () => {
    const { refreshed, slept } = await watched(async () => {});

    expect(refreshed).toBe(false);
    expect(slept).toEqual(Array.from({ length: 20 }, () => 1_000));
  });

  test.each([1, 20])("lives at the first look with another time, even an earlier one: look %i", async (at) => {
    const { refreshed, slept } = await watched(async (file, looks) => {
      if (looks === at) await utimes(file, 1, 1);
    });

    expect(refreshed).toBe(true);
    expect(slept).toHaveLength(at);
  });

  test.each([
    ["another's", (file: string) => writeFile(file, "3 4 place/theirs")],
    ["gone", (file: string) => rm(file)],
  ])("is examined again when it is %s", async (_name, change) => {
    const { refreshed, slept } = await watched((file) => change(file));

    expect(refreshed).toBe("changed");
    expect(slept).toHaveLength(1);
  });
});
