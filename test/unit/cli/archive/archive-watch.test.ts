import { describe, expect, test } from "vitest";
import type { ArchiveState } from "../../../../src/archive/backlog/archive-state.ts";
import { Backlog } from "../../../../src/archive/backlog/backlog.ts";
import { ArchiveWatch, type WatchedArchive } from "../../../../src/cli/archive/archive-watch.ts";

const NOW = Date.UTC(2026, 0, 1);
const AGE_MS = 300_000;
const well: ArchiveState = {
  isJoined: true,
  assigned: [0],
  locating: 0,
  halted: [],
  bytes: 0,
  oldestAt: undefined,
  idleSince: undefined,
  failing: [],
};

/** A partition of which the group has committed this, and which ends there. */
const place = (committed: number | undefined, end: number) => ({ committed, metadata: "", earliest: 0, end });

/** A backlog of which the brokers told at ticks 1,000,000 for the last time, and before that so long ago. */
function backlogOf(places: ReadonlyMap<number, ReturnType<typeof place>>, beforeMs?: number): Backlog {
  const backlog = new Backlog();
  if (beforeMs !== undefined) backlog.told(places, { ticks: 5_000_000 - beforeMs, now: NOW - beforeMs });
  backlog.told(places, { ticks: 5_000_000, now: NOW });
  return backlog;
}

/** A watch at ticks 5,000,000 of an archive that stands so, whose consumer gave a sign of life so long ago. */
function watching(state: Partial<ArchiveState> = {}, silentMs = 0, backlog = backlogOf(new Map([[0, place(7, 7)]]))) {
  const clock = { now: () => NOW, ticks: () => 5_000_000 };
  const lag = () => new Map([["verdicts", 12]]);
  const watch = new ArchiveWatch({ clock, ageMs: AGE_MS });
  const loop = { state: { ...well, ...state } };
  const life: WatchedArchive = { loop, consumer: { lag, activeAt: 5_000_000 - silentMs }, backlog };
  watch.begun(life);
  return Object.assign(watch, { life });
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

  test("not when the brokers tell nobody anything, nor before it could be back after that", () => {
    const backlog = new Backlog();
    expect(watching({}, 900_000, backlog).health.live()).toEqual([
      "the archive's consumer gave no sign of life for 900 s",
    ]);
    const places = new Map([[0, place(7, 7)]]);
    backlog.told(places, { ticks: 4_800_000, now: NOW });
    const away = watching({}, 900_000, backlog).health;
    expect([away.live(), away.ready()]).toEqual([[], ["the brokers do not say what is archived"]]);
    backlog.excused(5_000_000);
    backlog.told(places, { ticks: 5_000_000, now: NOW });
    const back = watching({}, 900_000, backlog).health;
    expect([back.live(), back.ready()]).toEqual([[], []]);
  });

  test("when objects are due and none was tried for more than ten minutes", () => {
    expect(watching({ idleSince: 4_400_000 }).health.live()).toEqual([]);
    expect(watching({ idleSince: 4_399_000 }).health.live()).toEqual(["objects are due, and none was tried for 601 s"]);
  });

  test("and not because the store is away", () => {
    expect(watching({ failing: ["store"], bytes: 1_000_000 }).health.live()).toEqual([]);
  });
});

describe("it is not ready", () => {
  test("before the group has taken it in", () => {
    const unbegun = new ArchiveWatch({ clock: { now: () => NOW, ticks: () => 0 }, ageMs: AGE_MS });

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
  // A broker's clock may be ahead of ours.
  expect(watching({ oldestAt: NOW + 5_000 }).gauges.oldestSeconds()).toBe(0);
});

describe("liveness goes by what is archived:", () => {
  const isStill = (state: Partial<ArchiveState>, forMs: number, places = new Map([[0, place(7, 9)]])) =>
    watching(state, 0, backlogOf(places, forMs)).health.live();

  test("a partition of its own has verdicts, and the group committed nothing for longer than it may", () => {
    expect(isStill({}, 900_000)).toEqual([]);
    expect(isStill({}, 901_000)).toEqual(["verdicts wait, and none was archived for 901 s"]);
  });

  test("nothing to do is no standing still", () => {
    expect(isStill({}, 4_000_000, new Map([[0, place(7, 7)]]))).toEqual([]);
    expect(isStill({}, 4_000_000, new Map([[0, place(undefined, 0)]]))).toEqual([]);
  });

  test("nor is what others have, or what waits for somebody to look", () => {
    expect(isStill({ assigned: [] }, 4_000_000)).toEqual([]);
    expect(isStill({ assigned: [1] }, 4_000_000)).toEqual([]);
    expect(isStill({ halted: [0] }, 4_000_000)).toEqual([]);
  });

  test("one that no group takes in has all of it to see to", () => {
    expect(isStill({ isJoined: false, assigned: [] }, 901_000)).toEqual([
      "verdicts wait, and none was archived for 901 s",
    ]);
  });

  test("one partition may wait for others for longer", () => {
    const backlog = new Backlog();
    const at = (ticks: number, committed: number) => {
      const places = new Map([
        [0, place(7, 9)],
        [1, place(committed, 99)],
      ]);
      backlog.told(places, { ticks: 5_000_000 + ticks, now: NOW + ticks });
    };
    const live = (ticks: number) => {
      const { life } = watching({ assigned: [0, 1] }, 0, backlog);
      const clock = { now: () => NOW, ticks: () => 5_000_000 + ticks };
      const watch = new ArchiveWatch({ clock, ageMs: AGE_MS });
      watch.begun({ ...life, consumer: { lag: () => new Map(), activeAt: 5_000_000 + ticks } });
      return watch.health.live();
    };
    at(0, 1);
    at(1_000_000, 2);
    expect(live(1_000_000)).toEqual([]);
    at(2_000_000, 3);
    expect(live(2_100_000)).toEqual([]);
    expect(live(2_101_000)).toEqual(["verdicts wait, and none was archived for 2101 s"]);
  });
});

describe("the age of the oldest verdict that is not archived", () => {
  const dated = (ageMs: number) => {
    const backlog = backlogOf(new Map([[0, place(7, 9)]]));
    backlog.dated([0], NOW - ageMs);
    return backlog;
  };

  test.each<[string, Partial<ArchiveState>]>([
    ["is stuck", {}],
    ["is halted", { halted: [0] }],
    ["joins the group again", { isJoined: false }],
    ["never had a partition", { assigned: [] }],
    ["knows of younger ones", { oldestAt: NOW - 1_000 }],
  ])("is what the brokers tell, when this archive %s", (_, state) => {
    expect(watching(state, 0, dated(7_200_000)).gauges.oldestSeconds()).toBe(7_200);
  });

  test("is what was read, when that is older", () => {
    expect(watching({ oldestAt: NOW - 61_500 }, 0, dated(1_000)).gauges.oldestSeconds()).toBe(61.5);
  });

  test("is the time since the brokers told, when they do no more", () => {
    let ticks = 1_000;
    const watch = new ArchiveWatch({ clock: { now: () => NOW, ticks: () => ticks }, ageMs: AGE_MS });
    expect(watch.gauges.oldestSeconds()).toBe(0);
    ticks = 122_000;
    expect(watch.gauges.oldestSeconds()).toBe(121);
    watch.begun({ ...watching().life, backlog: new Backlog() });
    expect(watch.gauges.oldestSeconds()).toBe(121);
    ticks = 5_120_000;
    watch.begun(watching().life);
    expect(watch.gauges.oldestSeconds()).toBe(0);
    ticks = 5_121_000;
    expect(watch.gauges.oldestSeconds()).toBe(121);
  });
});

test("one that has ended is down until it is in its group again", () => {
  const watch = watching();
  watch.ended("the consumer died");
  const ended = ["the archive has ended, and begins anew: the consumer died"];
  expect([watch.gauges.isDown(), watch.health.ready()]).toEqual([true, ended]);
  watch.begun(watching({ isJoined: false }).life);
  expect([watch.gauges.isDown(), watch.health.ready()]).toEqual([true, ended]);
  watch.begun(watching().life);
  expect([watch.gauges.isDown(), watch.health.ready()]).toEqual([false, []]);
});
