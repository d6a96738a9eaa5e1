import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../../src/kernel/retry.ts";
import { Concurrent, type Counter, TokenBucket } from "../../../../quota/counters.ts";
import { GOALS, isTooLow, Tally } from "../../../../quota/floors.ts";
import { type Kind, kinds } from "../../../../quota/kinds.ts";
import { trial } from "../../../../quota/trial.ts";
import { VirtualRun } from "../../../../quota/virtual-run.ts";

/** More seeds: `SEEDS=1000 vitest run --project unit test/property/worker/rate-limit`. */
const SEEDS = Number(process.env["SEEDS"] ?? 4);
const seeds = Array.from({ length: SEEDS }, (_, i) => i + 1);
const phaseOf = (seed: number) => seededRandom(seed)();
const mean = (figures: readonly number[]) => figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
const isLong = (kind: Kind) => kind.windowMs > 1_000;

/** A quota that changes at given times, in the counter's own time. */
function changing(kind: Kind, phase: number, allowed: (nowMs: number) => number): Counter {
  let nowMs = 0;
  const counter = kind.counter(() => allowed(nowMs), phase);
  const at = (now: number) => {
    nowMs = now;
    return counter;
  };
  return { takes: (now) => at(now).takes(now), freeAt: (now) => at(now).freeAt(now) };
}

/** Runs per kind, 2,048 in all. `tools/measure/learn-quotas.ts` makes many more. Chosen: half a minute of one core. */
const TRIALS = Math.max(64, SEEDS);

/** What the mean run reaches, with 429s that say how long to wait and with others (bench/results/proof.md). */
const MEANS = {
  told: { early: 0.9, late: 0.93, settled: 0.77, lateRefused: 0.004 },
  untold: { early: 0.97, late: 0.95, settled: 0.92, lateRefused: 0.02 },
};

describe.each(kinds)("$name", (kind) => {
  test.each(["told", "untold"] as const)("is learned in any circumstances of a seed: %s how long to wait", (which) => {
    const tallies = GOALS.map((goal) => new Tally(goal));
    for (let seed = 1; seed <= TRIALS; seed++) {
      const figures = trial(kind, seed, { tells: which === "told" });
      expect(isTooLow(figures), JSON.stringify(figures)).toBe(false);
      for (const tally of tallies) tally.add(figures);
    }

    for (const { reached } of tallies) {
      if (reached.goal === "lateRefused") expect(reached.mean).toBeLessThan(MEANS[which].lateRefused);
      else expect(reached.mean, reached.goal).toBeGreaterThan(MEANS[which][reached.goal]);
    }
  });

  test("is learned from nothing, and used in full from then on", () => {
    // 30 s or 30 windows; 2 minutes or 30 windows.
    const [learnedBy, from, until] = isLong(kind) ? [1_800, 1_800, 2_400] : [30, 120, 240];
    const runs = seeds.map(
      (seed) =>
        new VirtualRun(
          kind.counter(() => kind.requests, phaseOf(seed)),
          { seconds: until, seed },
        ),
    );

    for (const run of runs) {
      expect(run.takenPerSecond(learnedBy / 3, learnedBy) / kind.reachable).toBeGreaterThan(0.9);
      expect(run.takenPerSecond(from, until) / kind.reachable).toBeGreaterThan(0.93);
      expect(run.refusedShare(from, until)).toBeLessThan(0.02);
    }
    expect(mean(runs.map((run) => run.takenPerSecond(from, until) / kind.reachable))).toBeGreaterThan(0.97);
    expect(mean(runs.map((run) => run.refusedShare(from, until)))).toBeLessThan(0.01);
  });

  test.each([
    ["halved", 0.5, 0],
    ["doubled", 2, 0],
    ["zero for a minute", 1, 60],
  ])("that is %s is followed", (_, times, closedSeconds) => {
    const runs = seeds.map((seed) => {
      const phase = phaseOf(seed);
      const changesAt = (isLong(kind) ? 1_800 : 100) + Math.floor(20 * phase);
      const opensAt = changesAt + closedSeconds;
      const counter = changing(kind, phase, (nowMs) => {
        if (nowMs < 1_000 * changesAt) return kind.requests;
        return nowMs < 1_000 * opensAt ? 0 : times * kind.requests;
      });
      // 3 windows or 10 s later.
      const settledAt = opensAt + (isLong(kind) ? 180 : 10);
      const seconds = settledAt + (isLong(kind) ? 120 : 20);
      const run = new VirtualRun(counter, { seconds, seed });
      return {
        used: run.takenPerSecond(settledAt, seconds) / (times * kind.reachable),
        refused: run.refusedShare(settledAt, seconds),
      };
    });

    expect(mean(runs.map(({ used }) => used))).toBeGreaterThan(0.8);
    expect(mean(runs.map(({ refused }) => refused))).toBeLessThan(0.1);
  });

  test("is also learned with 429s that say how long to wait, and with lost requests", () => {
    const [from, until] = isLong(kind) ? [1_800, 2_400] : [120, 240];
    for (const how of [{ tells: true }, { lost: 0.02 }]) {
      const runs = seeds.map(
        (seed) =>
          new VirtualRun(
            kind.counter(() => kind.requests, phaseOf(seed)),
            { seconds: until, seed, ...how },
          ),
      );
      expect(mean(runs.map((run) => run.takenPerSecond(from, until) / kind.reachable))).toBeGreaterThan(0.9);
      expect(mean(runs.map((run) => run.refusedShare(from, until)))).toBeLessThan(0.015);
    }
  });

  test("that is already learned is kept to from the first request", () => {
    const perSecond = kind.reachable;
    for (const seed of seeds) {
      const counter = kind.counter(() => kind.requests, phaseOf(seed));
      const learned = { perSecond, burst: 0, windowMs: kind.windowMs };
      const run = new VirtualRun(counter, { seconds: 240, seed, learned });
      expect(run.takenPerSecond(0, 120) / kind.reachable).toBeGreaterThan(0.93);
      expect(run.refusedShare(0, 240)).toBeLessThan(0.02);
    }
  });

  test("draws no 429s under a lower demand, and the pace does not drift", () => {
    const perSecond = kind.reachable;
    const learned = { perSecond, burst: 0, windowMs: kind.windowMs };
    for (const seed of seeds) {
      const counter = kind.counter(() => kind.requests, phaseOf(seed));
      const run = new VirtualRun(counter, { seconds: 300, seed, learned, demand: 0.6 * perSecond });
      expect(run.refusedShare(0, 300)).toBe(0);
      expect(run.learner.learned?.perSecond).toBe(perSecond);
    }
  });
});

describe.each(kinds.filter((kind) => !isLong(kind)))("$name", (kind) => {
  test("that was halved for half a minute is soon used in full again", () => {
    const settled = seeds.map((seed) => {
      const phase = phaseOf(seed);
      const opensAt = 60 + Math.floor(20 * phase);
      const counter = changing(kind, phase, (nowMs) => {
        const isHalved = nowMs >= 30_000 && nowMs < 1_000 * opensAt;
        return isHalved ? kind.requests / 2 : kind.requests;
      });
      const run = new VirtualRun(counter, { seconds: opensAt + 40, seed });
      const isUsed = (at: number) => run.takenPerSecond(at, at + 3) >= 0.9 * kind.reachable;
      const seconds = Array.from({ length: 37 }, (_, i) => i);
      return seconds.find((later) => isUsed(opensAt + later)) ?? Number.POSITIVE_INFINITY;
    });

    expect(mean(settled)).toBeLessThanOrEqual(10);
    expect(Math.max(...settled)).toBeLessThanOrEqual(15);
  });
});

/**
 * What the service takes for an answer in addition to the network, milliseconds: the least, and the largest addition.
 */
const SLOW = [
  [300, 200],
  [500, 500],
  [1_000, 1_000],
] as const;

describe.each(SLOW)("answers after %i ms, and up to %i more", (least, jitter) => {
  test.each(kinds.filter(({ name }) => / 10\/s$/.test(name)))("$name is learned as well, with few 429s", (kind) => {
    const runs = seeds.map((seed) => {
      const counter = kind.counter(() => kind.requests, phaseOf(seed));
      return new VirtualRun(counter, { seconds: 240, seed, servingMs: [least, jitter] });
    });

    for (const run of runs) {
      expect(run.takenPerSecond(10, 40) / kind.reachable).toBeGreaterThan(0.9);
      expect(run.takenPerSecond(120, 240) / kind.reachable).toBeGreaterThan(0.93);
    }
    expect(mean(runs.map((run) => run.takenPerSecond(120, 240) / kind.reachable))).toBeGreaterThan(0.97);
    // A large burst is found out once, at a cost of about twenty 429s.
    const most = kind.name.startsWith("a bucket of 10") ? 0.03 : 0.013;
    expect(mean(runs.map((run) => run.refusedShare(120, 240)))).toBeLessThan(most);
  });

  test("a key that is closed for a minute gets at most thirty requests beyond those in flight", () => {
    for (const seed of seeds) {
      let nowMs = 0;
      const window = new TokenBucket(() => 10, 1_000, 10);
      const isClosed = () => nowMs >= 100_000 && nowMs < 160_000;
      const counter: Counter = {
        takes: (now) => {
          nowMs = now;
          return !isClosed() && window.takes(now);
        },
        freeAt: (now) => now,
      };
      const run = new VirtualRun(counter, { seconds: 160, seed, servingMs: [least, jitter] });
      const asked = run.seconds.slice(100, 160).reduce((sum, { refused }) => sum + refused, 0);
      expect(asked).toBeLessThan(30 + ((least + jitter) / 1_000) * 10);
    }
  });
});

test("several learners of the same quota use it up, at the price of 429s, and each gets a part", () => {
  for (const kind of kinds.filter(({ name }) =>
    /^a (?:fixed window|sliding window|bucket of 5)\b.*\b50\/s/.test(name),
  )) {
    for (const seed of seeds) {
      const counter = kind.counter(() => kind.requests, phaseOf(seed));
      const run = new VirtualRun(counter, { seconds: 180, seed, processes: 4 });
      expect(run.takenPerSecond(60, 180) / kind.reachable).toBeGreaterThan(0.95);
      expect(run.refusedShare(60, 180)).toBeLessThan(0.12);
      const all = run.takenByEach.reduce((sum, taken) => sum + taken, 0);
      expect(Math.min(...run.takenByEach) / all).toBeGreaterThan(0.03);
    }
  }
});

test("a service without a quota is asked without a pace after 3 s", () => {
  for (const seed of seeds) {
    const run = new VirtualRun({ takes: () => true, freeAt: (now) => now }, { seconds: 4, seed });
    expect(run.learner.minTimeMs).toBe(0);
    // 32 at once, 20 to 50 ms each.
    expect(run.takenPerSecond(3, 4)).toBeGreaterThan(800);
  }
});

test("a quota that grew during a low demand is found as soon as the demand rises", () => {
  for (const seed of seeds) {
    const bucket = new TokenBucket(() => 200, 1_000, 20);
    const learned = { perSecond: 10, burst: 0, windowMs: 1_000 };
    const run = new VirtualRun(bucket, { seconds: 120, seed, learned, demand: 60 });
    expect(run.takenPerSecond(60, 120)).toBeGreaterThan(59);
  }
});

test("a service that limits concurrent requests is asked at about that rate", () => {
  for (const seed of seeds) {
    // 35 ms each: 85 per second.
    const counter = new Concurrent(new TokenBucket(() => 1_000, 1_000, 1_000), 3);
    const run = new VirtualRun(counter, { seconds: 240, seed });
    expect(run.takenPerSecond(120, 240)).toBeGreaterThan(45);
    expect(run.refusedShare(120, 240)).toBeLessThan(0.1);
  }
});

test("a run is reproducible", () => {
  const run = () => new VirtualRun(new TokenBucket(() => 50, 1_000, 5), { seconds: 60, seed: 7 }).seconds;
  expect(run()).toEqual(run());
});
