import { describe, expect, test } from "vitest";
import { type LearnedLanes, laneKinds, learnedLanes } from "./learned-lanes.ts";

/** Generous, because the machine may be busy. */
const TIMEOUT_MS = 120_000;
const SEEDS = [1, 2, 3, 4];
const SECONDS = 660;
/** The worker searches for the quota until then. The search causes 429s, and events behind a 429 wait. */
const LEARNED_AT = 60;

describe.each([false, true])(
  "deposits beside a backfill at a quota that is learned; 429s tell the wait: %s",
  (tells) => {
    test.each(laneKinds)(
      "deposits at $name are sent within two permits and cost the backfill no more",
      async (kind) => {
        const [beside, alone] = [
          await Promise.all(SEEDS.map((seed) => learnedLanes({ kind, seed, seconds: SECONDS, tells, deposits: 0.1 }))),
          await Promise.all(SEEDS.map((seed) => learnedLanes({ kind, seed, seconds: SECONDS, tells, deposits: 0 }))),
        ];

        const own = beside.flatMap(({ deposits }) => deposits.filter(({ at }) => at >= LEARNED_AT));
        const waits = own.map(({ waited }) => waited).sort((a, b) => a - b);
        expect(waits.length).toBeGreaterThan(0.09 * kind.requests * (SECONDS - LEARNED_AT) * SEEDS.length);
        expect(waits[Math.floor(0.99 * waits.length)]).toBeLessThanOrEqual(2);
        expect(taken(beside)).toBeGreaterThan(0.98 * taken(alone));
      },
      TIMEOUT_MS,
    );
  },
);

function taken(runs: readonly LearnedLanes[]): number {
  return runs.flatMap(({ seconds }) => seconds).reduce((sum, second) => sum + second.taken, 0);
}
