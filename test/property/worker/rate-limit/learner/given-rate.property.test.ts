import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../../src/kernel/retry.ts";
import { minTimeMs } from "../../../../../src/worker/rate-limit/sharing/quota.ts";
import { FixedWindow, TokenBucket } from "../../../../quota/counters.ts";
import { cutRun, givenRun } from "../../../../quota/given-run.ts";
import { type Kind, kinds } from "../../../../quota/kinds.ts";
import { sharedRun } from "../../../../quota/shared-run.ts";

/** More seeds: `SEEDS=1000 vitest run --project unit test/property/worker/rate-limit/learner/given-rate`. */
const SEEDS = Number(process.env["SEEDS"] ?? 3);
const seeds = Array.from({ length: SEEDS }, (_, i) => i + 1);
const phaseOf = (seed: number) => seededRandom(seed)();
const mean = (figures: readonly number[]) => figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
const isLong = (kind: Kind) => kind.windowMs > 1_000;
/** Arrivals shift by three gaps against each other here, and any 201 requests in a second count. */
const isJittery = (kind: Kind) => kind.name === "a sliding window of 200/s";

/** 3 windows or 10 s. */
const settledAfter = (kind: Kind) => (isLong(kind) ? 180 : 10);

describe.each(kinds)("$name as the configured quota", (kind) => {
  const perSecond = (1_000 * kind.requests) / kind.windowMs;
  const given = 1_000 / minTimeMs(kind);

  test("an unchanged quota is sent at its pace", () => {
    const seconds = isLong(kind) ? 600 : 120;
    for (const seed of seeds) {
      const { run: held, parts } = givenRun({ kind, seed, seconds, times: () => 1 });
      expect(held.takenPerSecond(5, seconds) / given).toBeGreaterThanOrEqual(isJittery(kind) ? 0.93 : 0.99);
      expect(held.refusedShare(0, seconds)).toBeLessThanOrEqual(isJittery(kind) ? 0.01 : 0.001);
      expect(parts).toEqual([]);
    }
  });

  test("a quota that is halved for a while is followed down and up, and the changes are reported", () => {
    const runs = seeds.map((seed) => cutRun({ kind, seed, times: 0.5 }));
    const used = runs.map((each) => each.run.takenPerSecond(each.at + settledAfter(kind), each.until) / perSecond);
    const refused = runs.map((each) => each.run.refusedShare(each.at + settledAfter(kind), each.until));
    const again = runs.map((each) => each.run.takenPerSecond(each.until + settledAfter(kind), each.seconds) / given);
    expect(mean(used)).toBeGreaterThanOrEqual(0.5 * (kind.name.includes("sliding") ? 0.8 : 0.92));
    expect(mean(refused)).toBeLessThanOrEqual(kind.requests === 10 ? 0.1 : 0.03);
    expect(mean(again)).toBeGreaterThanOrEqual(isJittery(kind) ? 0.95 : 0.97);
    for (const { parts } of runs) {
      expect(parts.filter((part) => part > 0.4 && part < 0.6).length).toBeGreaterThanOrEqual(1);
      if (isJittery(kind)) expect(parts.at(-1)).toBeGreaterThan(0.85);
      else expect(parts.at(-1)).toBe(1);
    }
  });

  test("a quota that is zero for a minute is soon found open", () => {
    for (const seed of seeds) {
      const closesAt = (isLong(kind) ? 300 : 20) + Math.floor(20 * phaseOf(seed));
      const opensAt = closesAt + 60;
      const times = (now: number) => (now >= closesAt && now < opensAt ? 0 : 1);
      const { run: closed, parts } = givenRun({ kind, seed, seconds: opensAt + 40, times });
      // With a window of a minute the exact time does not matter: 16 times 0.6 s, and a quarter more.
      const foundBy = opensAt + (isLong(kind) ? 13 : 9);
      expect(closed.takenPerSecond(opensAt, foundBy)).toBeGreaterThan(0);
      if (!isLong(kind)) {
        expect(closed.takenPerSecond(closesAt + 1, opensAt)).toBe(0);
        expect(closed.takenPerSecond(opensAt + 10, opensAt + 40) / given).toBeGreaterThanOrEqual(0.93);
        expect(parts[0]).toBe(0);
      }
    }
  });

  test("a halved quota with 429s that say how long to wait is followed as well", () => {
    const runs = seeds.map((seed) => cutRun({ kind, seed, times: 0.5, tells: true }));
    // It takes up to 16 s instead of 10 s, because each 429 costs a second without requests.
    const settled = isLong(kind) ? 180 : 20;
    const used = runs.map((each) => each.run.takenPerSecond(each.at + settled, each.until) / perSecond);
    expect(mean(used)).toBeGreaterThanOrEqual(0.5 * 0.7);
    if (isJittery(kind)) return;
    const again = runs.map((each) => each.run.takenPerSecond(each.until + settled, each.seconds) / given);
    // The lowest is a sliding window of 10/s with 0.72 to 0.74. The full rate is tried after half a minute at worst.
    expect(mean(again)).toBeGreaterThanOrEqual(0.72);
  });

  test("a quota with 2 % random 429s is kept to, and is followed if it is halved meanwhile", () => {
    const [from, until] = isLong(kind) ? [300, 1_200] : [10, 130];
    const kept = seeds.map((seed) => givenRun({ kind, seed, seconds: until, times: () => 1, byChance: 0.02 }).run);
    const used = kept.map((each) => each.takenPerSecond(from, until) / given);
    expect(mean(used)).toBeGreaterThanOrEqual(0.82);
    const halvedAt = isLong(kind) ? 300 : 30;
    const times = (now: number) => (now < halvedAt ? 1 : 0.5);
    const halved = seeds.map((seed) => givenRun({ kind, seed, seconds: until, times, byChance: 0.02 }).run);
    const usedOfHalf = halved.map(
      (each) => each.takenPerSecond(halvedAt + settledAfter(kind), until) / (0.5 * perSecond),
    );
    expect(mean(usedOfHalf)).toBeGreaterThanOrEqual(0.65);
    expect(mean(halved.map((each) => each.refusedShare(halvedAt, until)))).toBeLessThanOrEqual(0.2);
  });
});

describe.each([
  ["36000/1h", 36_000, 3_600_000],
  ["864000/1d", 864_000, 86_400_000],
])("10 requests per second that are configured as %s", (name, requests, windowMs) => {
  const bucket = (allowed: () => number) => new TokenBucket(allowed, windowMs, 5);
  const kind: Kind = { name, requests, windowMs, reachable: 9.8, counter: bucket };

  test.each([false, true])("a quota halved for ten minutes is followed both ways in minutes (told: %s)", (tells) => {
    for (const seed of seeds) {
      const { run, parts, at, until, seconds } = cutRun({ kind, seed, times: 0.5, tells });
      expect(run.takenPerSecond(at + settledAfter(kind), until) / 5).toBeGreaterThanOrEqual(0.92);
      expect(run.takenPerSecond(until + settledAfter(kind), seconds) / 10).toBeGreaterThanOrEqual(0.97);
      expect(parts.filter((part) => part > 0.4 && part < 0.6).length).toBeGreaterThanOrEqual(1);
      expect(parts.at(-1)).toBe(1);
    }
  });
});

test("5000 in a real hour, closed for ten minutes or halved for two hours, are used in full before and after", () => {
  for (const seed of seeds) {
    const windowMs = 3_600_000;
    const counter = (allowed: () => number, phase: number) => new FixedWindow(allowed, windowMs, phase * windowMs);
    const kind: Kind = { name: "5000/1h", requests: 5_000, windowMs, reachable: 5_000 / 3_600, counter };
    const hour = (of: ReturnType<typeof givenRun>, from: number, until: number) =>
      of.run.takenPerSecond(3_600 * from, 3_600 * until) / kind.reachable;
    const closed = givenRun({ kind, seed, seconds: 9_600, times: (now) => (now >= 5_400 && now < 6_000 ? 0 : 1) });
    expect(hour(closed, 0, 1.5)).toBeGreaterThanOrEqual(0.99);
    expect(closed.run.takenPerSecond(6_060, 9_600) / kind.reachable).toBeGreaterThanOrEqual(0.97);
    expect(closed.parts).toEqual([0, 1]);
    const halved = givenRun({ kind, seed, seconds: 21_600, times: (now) => (now >= 3_600 && now < 10_800 ? 0.5 : 1) });
    expect(hour(halved, 1, 3)).toBeGreaterThanOrEqual(0.45);
    expect(hour(halved, 4, 6)).toBeGreaterThanOrEqual(0.99);
  }
});

describe.each(kinds.filter((kind) => !isLong(kind) && !/bucket of (?:10|50|200) /.test(kind.name)))(
  "$name that four processes share",
  (kind) => {
    test("a halved quota is used up together, and restored to each process", () => {
      for (const seed of seeds.slice(0, Math.max(1, SEEDS / 3))) {
        let nowMs = 0;
        const isCut = () => nowMs >= 30_000 && nowMs < 75_000;
        const inner = kind.counter(() => kind.requests * (isCut() ? 0.5 : 1), phaseOf(seed));
        const takes = (now: number) => {
          nowMs = now;
          return inner.takes(now);
        };
        const processes = Array.from({ length: 4 }, () => ({ demand: () => Number.POSITIVE_INFINITY }));
        const counter = { takes, freeAt: (now: number) => inner.freeAt(now) };
        const arrived = sharedRun(counter, { quota: kind, processes, seconds: 110, seed });
        const sum = (what: "taken" | "refused", from: number, until: number) =>
          arrived.flatMap((own) => own.slice(from, until)).reduce((all, second) => all + second[what], 0);
        expect(sum("taken", 45, 75) / (30 * 0.5 * kind.requests)).toBeGreaterThanOrEqual(0.7);
        expect(sum("refused", 45, 75) / (sum("taken", 45, 75) + sum("refused", 45, 75))).toBeLessThanOrEqual(0.25);
        // The rate that every window accepts. The 429s have ended the try of more (`Headroom`).
        const safe = Math.max(kind.requests - 4, kind.requests / 2) / kind.requests;
        expect(sum("taken", 90, 110) / (20 * kind.requests)).toBeGreaterThanOrEqual(0.9 * safe);
        const least = Math.min(...arrived.map((own) => own.slice(45, 75).reduce((all, { taken }) => all + taken, 0)));
        expect(least).toBeGreaterThan(0);
      }
    });
  },
);
