import { describe, expect, test } from "vitest";
import type { ArchiveState } from "../../../src/archive/archive-state.ts";
import { ArchiveWatch } from "../../../src/cli/archive-watch.ts";

const NOW = Date.UTC(2026, 0, 1);
const well: ArchiveState = {
  isJoined: true,
  locating: 0,
  locatingSince: undefined,
  halted: [],
  bytes: 0,
  oldestAt: undefined,
  idleSince: undefined,
  failing: [],
};

/** A watch at ticks 1,000,000 of an archive that stands so, whose consumer gave a sign of life so long ago. */
function watching(state: Partial<ArchiveState> = {}, silentMs = 0) {
  const clock = { now: () => NOW, ticks: () => 1_000_000, sleep: async () => undefined };
  const lag = () => new Map([["verdicts", 12]]);
  const watch = new ArchiveWatch({ clock, consumer: { lag, activeAt: 1_000_000 - silentMs } });
  watch.begun({ state: { ...well, ...state } });
  return watch;
}

test("one that is well is alive and ready", () => {
  const { health } = watching();

  expect([health.live(), health.ready()]).toEqual([[], []]);
});

describe("it is to be started anew", () => {
  test("when its consumer gives no sign of life for more than two minutes", () => {
    expect(watching({}, 120_000).health.live()).toEqual([]);
    expect(watching({}, 121_000).health.live()).toEqual(["the archive's consumer gave no sign of life for 121 s"]);
  });

  test("when objects are due and none was tried for more than ten minutes", () => {
    expect(watching({ idleSince: 400_000 }).health.live()).toEqual([]);
    expect(watching({ idleSince: 399_000 }).health.live()).toEqual(["objects are due, and none was tried for 601 s"]);
  });

  test("and not because the store is away", () => {
    expect(watching({ failing: ["store"], bytes: 1_000_000 }).health.live()).toEqual([]);
  });
});

describe("it is not ready", () => {
  test("before the group has taken it in", () => {
    const clock = { now: () => NOW, ticks: () => 0, sleep: async () => undefined };
    const unbegun = new ArchiveWatch({ clock, consumer: { lag: () => new Map(), activeAt: 0 } });

    expect(unbegun.health.ready()).toEqual(["the group of the archive has not been joined"]);
    expect(unbegun.health.live()).toEqual([]);
    expect(watching({ isJoined: false }).health.ready()).toEqual(["the group of the archive has not been joined"]);
  });

  test.each([
    ["offsets", "the brokers do not say where the group stands"],
    ["objects", "the store does not say where its objects end"],
    ["store", "the store takes no object"],
  ] as const)("while %s fail, with the reason", (step, reason) => {
    expect(watching({ failing: [step] }).health.ready()).toEqual([reason]);
  });

  test("while partitions are looked for, and while some are halted", () => {
    expect(watching({ locating: 3, halted: [1, 4] }).health.ready()).toEqual([
      "where 3 partitions go on is not known yet",
      "nothing is archived of partition 1, 4: see the log",
    ]);
  });
});

test("its gauges", () => {
  const { gauges } = watching({ oldestAt: NOW - 61_500, bytes: 77, halted: [1] });

  expect(gauges.oldestSeconds()).toBe(61.5);
  expect(gauges.lag()).toBe(12);
  expect(gauges.waitingBytes()).toBe(77);
  expect(gauges.halted()).toBe(1);
  expect(watching().gauges.oldestSeconds()).toBe(0);
  // As long as nothing can be read, nobody knows of anything older.
  expect(watching({ locating: 1, locatingSince: 940_000 }).gauges.oldestSeconds()).toBe(60);
  // A broker's clock may be ahead of ours.
  expect(watching({ oldestAt: NOW + 5_000 }).gauges.oldestSeconds()).toBe(0);
});

test("while the group has not taken it in, its age is that of the wait, and none of its process's later", () => {
  const state = { ...well, isJoined: false };
  let ticks = 5_000;
  const clock = { now: () => NOW, ticks: () => ticks, sleep: async () => undefined };
  const watch = new ArchiveWatch({ clock, consumer: { lag: () => new Map(), activeAt: 0 } });
  const ages = [watch.gauges.oldestSeconds()];
  const after = (ms: number, isJoined: boolean) => {
    ticks += ms;
    watch.begun({ state: { ...state, isJoined } });
    ages.push(watch.gauges.oldestSeconds());
  };

  after(90_000, false);
  after(10_000, true);
  after(3_600_000, true);
  after(30_000, false);

  expect(ages).toEqual([0, 90, 0, 0, 30]);
});
