import { type Random, seededRandom } from "../../src/kernel/retry.ts";
import { Concurrent, type Counter } from "./counters.ts";
import type { Kind } from "./kinds.ts";
import { VirtualRun } from "./virtual-run.ts";

/** Changes of a quota after it was learned: the factor of its size, and the seconds for which it is closed before. */
const changes = {
  none: { times: 1, closedSeconds: 0 },
  halved: { times: 0.5, closedSeconds: 0 },
  doubled: { times: 2, closedSeconds: 0 },
  "zero for a minute": { times: 1, closedSeconds: 60 },
} as const;
type Change = keyof typeof changes;

const CHANGES: readonly Change[] = ["none", "halved", "doubled", "zero for a minute"];
/** Time from sending to the answer, milliseconds: the least, and the largest addition. */
const LATENCIES = [
  [20, 30],
  [5, 5],
  [2, 60],
  [40, 20],
] as const;

/** The random circumstances of a seed: how the service answers, and how its quota changes. */
interface Circumstances {
  readonly phase: number;
  readonly change: Change;
  readonly changesAt: number;
  readonly tells: boolean;
  /** Share of requests that get a 500. */
  readonly failed: number;
  readonly lost: number;
  readonly latencyMs: readonly [number, number];
  /** Additional limit on the key's concurrent requests. A search without a pace exceeds it. */
  readonly atOnce: number | undefined;
}

export interface Figures extends Circumstances {
  readonly seed: number;
  /**
   * Shares of the reachable rate: within 30 s or windows, after 2 minutes or 30 windows, and from 10 s or 3 windows
   * after a change.
   */
  readonly early: number;
  readonly late: number;
  readonly settled: number;
  /** Share of 429s. */
  readonly lateRefused: number;
  readonly settledRefused: number;
}

function circumstancesOf(kind: Kind, seed: number): Circumstances {
  const random = seededRandom(seed);
  const isLong = kind.windowMs > 1_000;
  const phase = random();
  const change = oneOf(CHANGES, random);
  return {
    phase,
    change,
    changesAt: (isLong ? 2_400 : 240) + Math.floor(20 * random()),
    tells: random() < 0.5,
    failed: oneOf([0, 0, 0.01, 0.05], random),
    lost: oneOf([0, 0, 0, 0.01], random),
    latencyMs: oneOf(LATENCIES, random),
    atOnce: random() < 0.25 ? 24 : undefined,
  };
}

/** Learns a quota of this kind in the circumstances of the seed. */
export function trial(kind: Kind, seed: number, given: Partial<Circumstances> = {}): Figures {
  const circumstances = { ...circumstancesOf(kind, seed), ...given };
  const { phase, change, changesAt, atOnce, ...how } = circumstances;
  const { times, closedSeconds } = changes[change];
  const isLong = kind.windowMs > 1_000;
  const [learnedBy, from, until] = isLong ? [1_800, 1_800, 2_400] : [30, 120, 240];
  const opensAt = changesAt + closedSeconds;
  const settledAt = opensAt + (isLong ? 180 : 10);
  const seconds = change === "none" ? until : settledAt + (isLong ? 120 : 20);
  let nowMs = 0;
  const counted = kind.counter(() => {
    if (nowMs < 1_000 * changesAt) return kind.requests;
    return nowMs < 1_000 * opensAt ? 0 : times * kind.requests;
  }, phase);
  const timed: Counter = {
    takes: (now) => {
      nowMs = now;
      return counted.takes(now);
    },
    freeAt: (now) => counted.freeAt(now),
  };
  const run = new VirtualRun(atOnce === undefined ? timed : new Concurrent(timed, atOnce), { seconds, seed, ...how });
  const hasChanged = change !== "none";
  return {
    seed,
    ...circumstances,
    early: run.takenPerSecond(learnedBy / 3, learnedBy) / kind.reachable,
    late: run.takenPerSecond(from, until) / kind.reachable,
    settled: hasChanged ? run.takenPerSecond(settledAt, seconds) / (times * kind.reachable) : Number.NaN,
    lateRefused: run.refusedShare(from, until),
    settledRefused: hasChanged ? run.refusedShare(settledAt, seconds) : Number.NaN,
  };
}

function oneOf<T>(all: readonly T[], random: Random): T {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new Error("nothing to choose from");
  return one;
}
