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

/** A partition with this committed offset of the group, and this end. */
const place = (committed: number | undefined, end: number) => ({ committed, metadata: "", earliest: 0, end });

/** A backlog with the last report of the brokers at ticks 1,000,000, and the report before `beforeMs` earlier. */
function backlogOf(places: ReadonlyMap<number, ReturnType<typeof place>>, beforeMs?: number): Backlog {
  const backlog = new Backlog();
  if (beforeMs !== undefined) backlog.told(places, { ticks: 5_000_000 - beforeMs, now: NOW - beforeMs });
  backlog.told(places, { ticks: 5_000_000, now: NOW });
  return backlog;
}

/** A watch at ticks 5,000,000 of an archive in this state, with a consumer that was silent for `silentMs`. */
function watching(state: Partial<ArchiveState> = {}, silentMs = 0, backlog = backlogOf(new Map([[0, place(7, 7)]]))) {
  const clock = { now: () => NOW, ticks: () => 5_000_000 };
  const lag = () => new Map([["verdicts", 12]]);
  const watch = new ArchiveWatch({ clock, ageMs: AGE_MS });
  const loop = { state: { ...well, ...state } };
  const life: WatchedArchive = { loop, consumer: { lag, activeAt: 5_000_000 - silentMs }, backlog };
  watch.begun(life);
  return Object.assign(watch, { life });
}

test("a healthy archive is alive and ready", () => {
  const { health } = watching();

  expect([health.live(), health.ready()]).toEqual([[], []]);
});

describe("the archive must restart", () => {
  test("when its consumer is silent for more than two minutes", () => {
    expect(watching({}, 120_000).health.live()).toEqual([]);
    expect(watching({}, 121_000).health.live()).toEqual(["the archive's consumer was silent for 121 s"]);
  });

  test("but not while the brokers answer no request, nor before it could be back after that", () => {
    const backlog = new Backlog();
    expect(watching({}, 900_000, backlog).health.live()).toEqual(["the archive's consumer was silent for 900 s"]);
    const places = new Map([[0, place(7, 7)]]);
    backlog.told(places, { ticks: 4_800_000, now: NOW });
    const away = watching({}, 900_000, backlog).health;
    expect([away.live(), away.ready()]).toEqual([[], ["the brokers do not report what the archive has committed"]]);
    backlog.excused(5_000_000);
    backlog.told(places, { ticks: 5_000_000, now: NOW });
    const back = watching({}, 900_000, backlog).health;
    expect([back.live(), back.ready()]).toEqual([[], []]);
  });

  test("when objects are due and none was tried for more than ten minutes", () => {
    expect(watching({ idleSince: 4_400_000 }).health.live()).toEqual([]);
    expect(watching({ idleSince: 4_399_000 }).health.live()).toEqual(["objects are due, and none was tried for 601 s"]);
  });

  test("but not because the store is down", () => {
    expect(watching({ failing: ["store"], bytes: 1_000_000 }).health.live()).toEqual([]);
  });
});

describe("the archive is not ready", () => {
  test("before it has joined the group", () => {
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

  test("while partitions are located, and while some are halted", () => {
    expect(watching({ locating: 3, halted: [1, 4] }).health.ready()).toEqual([
      "where 3 partitions go on is not known yet",
      "nothing is archived of partition 1, 4: see the log",
    ]);
  });
});

test("the gauges of the archive", () => {
  const { gauges } = watching({ oldestAt: NOW - 61_500, bytes: 77, halted: [1] });

  expect(gauges.oldestSeconds()).toBe(61.5);
  expect(gauges.lag()).toBe(12);
  expect(gauges.waitingBytes()).toBe(77);
  expect(gauges.halted()).toBe(1);
  expect(watching().gauges.oldestSeconds()).toBe(0);
  // A broker's clock may be ahead of the local clock.
  expect(watching({ oldestAt: NOW + 5_000 }).gauges.oldestSeconds()).toBe(0);
});

describe("liveness follows the archived offsets:", () => {
  const isStill = (state: Partial<ArchiveState>, forMs: number, places = new Map([[0, place(7, 9)]])) =>
    watching(state, 0, backlogOf(places, forMs)).health.live();

  test("an own partition has verdicts, and the group committed none for too long", () => {
    expect(isStill({}, 900_000)).toEqual([]);
    expect(isStill({}, 901_000)).toEqual(["verdicts wait, and none was archived for 901 s"]);
  });

  test("an empty partition does not count as stalled", () => {
    expect(isStill({}, 4_000_000, new Map([[0, place(7, 7)]]))).toEqual([]);
    expect(isStill({}, 4_000_000, new Map([[0, place(undefined, 0)]]))).toEqual([]);
  });

  test("partitions of others, and halted ones, do not count", () => {
    expect(isStill({ assigned: [] }, 4_000_000)).toEqual([]);
    expect(isStill({ assigned: [1] }, 4_000_000)).toEqual([]);
    expect(isStill({ halted: [0] }, 4_000_000)).toEqual([]);
  });

  test("an archive outside of the group watches all partitions", () => {
    expect(isStill({ isJoined: false, assigned: [] }, 901_000)).toEqual([
      "verdicts wait, and none was archived for 901 s",
    ]);
  });

  test("one partition may wait longer for others", () => {
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
  ])("is the brokers' report, when this archive %s", (_, state) => {
    expect(watching(state, 0, dated(7_200_000)).gauges.oldestSeconds()).toBe(7_200);
  });

  test("is the age of a read verdict, when that is older", () => {
    expect(watching({ oldestAt: NOW - 61_500 }, 0, dated(1_000)).gauges.oldestSeconds()).toBe(61.5);
  });

  test("is the time since the last report, when the brokers report no more", () => {
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

test("an ended archive is down until it has joined its group again", () => {
  const watch = watching();
  watch.ended("the consumer died");
  const ended = ["the archive has ended, and begins anew: the consumer died"];
  expect([watch.gauges.isDown(), watch.health.ready()]).toEqual([true, ended]);
  watch.begun(watching({ isJoined: false }).life);
  expect([watch.gauges.isDown(), watch.health.ready()]).toEqual([true, ended]);
  watch.begun(watching().life);
  expect([watch.gauges.isDown(), watch.health.ready()]).toEqual([false, []]);
});
