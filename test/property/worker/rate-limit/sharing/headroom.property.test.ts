import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../../src/kernel/retry.ts";
import { FixedWindow, SlidingWindow, TokenBucket } from "../../../../quota/counters.ts";
import { kinds } from "../../../../quota/kinds.ts";
import { type Arrived, sharedRun } from "../../../../quota/shared-run.ts";

/** More seeds: `SEEDS=50 vitest run --project unit test/property/worker/rate-limit`. */
const SEEDS = Number(process.env["SEEDS"] ?? 1);
const seeds = Array.from({ length: SEEDS }, (_, i) => i + 1);

/** The quotas for which the safe pace leaves much unused. */
const small = kinds.filter(({ requests }) => requests === 10);
const sum = (run: readonly (readonly Arrived[])[], what: keyof Arrived, from: number, until: number) =>
  run.flatMap((own) => own.slice(from, until)).reduce((all, second) => all + second[what], 0);

const busy = (processes: number) =>
  Array.from({ length: processes }, () => ({ demand: () => Number.POSITIVE_INFINITY }));

describe.each(small)("a configured quota: $name", ({ name, requests, windowMs, counter }) => {
  const isBucket = name.includes("bucket");
  const quota = { requests, windowMs };
  const counterOf = (seed: number) => counter(() => requests, seededRandom(seed)());

  test("one process uses it up from the beginning, and tries as much more as possible, with few 429s", () => {
    const [openedBy, until] = [300, 600];
    for (const seed of seeds) {
      const run = sharedRun(counterOf(seed), { quota, processes: busy(1), seconds: until, seed });
      const used = sum(run, "taken", openedBy, until) / (requests * (until - openedBy));
      const share = sum(run, "refused", 0, until) / sum(run, "taken", 0, until);
      expect(sum(run, "taken", 10, 40) / (requests * 30)).toBeGreaterThanOrEqual(0.98);
      expect(share).toBeLessThanOrEqual(isBucket ? 0 : 0.001);
      expect(used).toBeGreaterThanOrEqual(isBucket ? 0.98 : (0.98 * (requests - 1)) / requests);
    }
  });

  test.each([50, 120])(
    "one process with requests that catch up by %i ms uses it at the safe pace or better, with few 429s",
    (early) => {
      for (const seed of seeds) {
        const how = { quota, processes: busy(1), seconds: 1_800, seed, wayMs: [10, 10 + early] as const };
        const run = sharedRun(counterOf(seed), how);
        const used = sum(run, "taken", 10, 1_800) / (requests * 1_790);
        const share = sum(run, "refused", 0, 1_800) / sum(run, "taken", 0, 1_800);
        // A gap of the safe pace is 111 ms.
        expect(share).toBeLessThanOrEqual(isBucket ? 0 : early < 111 ? 0.0005 : 0.003);
        expect(used).toBeGreaterThanOrEqual(isBucket ? 0.98 : (0.98 * (requests - 1)) / requests);
      }
    },
  );

  test.each([2, 3, 4, 5])(
    "%i processes use it up from the beginning, with any kind of counter, without a 429",
    (processes) => {
      for (const seed of seeds) {
        const run = sharedRun(counterOf(seed), { quota, processes: busy(processes), seconds: 310, seed });
        expect(sum(run, "taken", 10, 310) / (requests * 300)).toBeGreaterThanOrEqual(0.95);
        expect(sum(run, "refused", 0, 310)).toBe(0);
      }
    },
  );

  test.each([100, 200])(
    "four processes with requests that catch up by %i ms use it at the safe pace or better, with few 429s",
    (early) => {
      for (const seed of seeds) {
        const how = { quota, processes: busy(4), seconds: 1_800, seed, wayMs: [10, 10 + early] as const };
        const run = sharedRun(counterOf(seed), how);
        const used = sum(run, "taken", 10, 1_800) / (requests * 1_790);
        const share = sum(run, "refused", 0, 1_800) / sum(run, "taken", 0, 1_800);
        expect(share).toBeLessThanOrEqual(isBucket ? 0 : 0.005);
        expect(used).toBeGreaterThanOrEqual(isBucket ? 0.95 : (0.98 * (requests - 4)) / requests);
      }
    },
  );
});

describe.each([
  {
    name: "a fixed window",
    counterOf: (seed: number) => new FixedWindow(() => 1, 1_000, 1_000 * seededRandom(seed)()),
  },
  { name: "a sliding window", counterOf: () => new SlidingWindow(() => 1, 1_000) },
  { name: "a bucket of 1", counterOf: () => new TokenBucket(() => 1, 1_000, 1) },
])("one request per second, counted by $name", ({ counterOf }) => {
  const quota = { requests: 1, windowMs: 1_000 };

  test("one process uses it up from the beginning, without a 429", () => {
    for (const seed of seeds) {
      const run = sharedRun(counterOf(seed), { quota, processes: busy(1), seconds: 1_800, seed });
      expect(sum(run, "taken", 10, 1_800) / 1_790).toBeGreaterThanOrEqual(0.97);
      expect(sum(run, "refused", 0, 1_800)).toBe(0);
    }
  });

  test.each([50, 120])("one process with requests that catch up by %i ms gets a 429 in half an hour", (early) => {
    for (const seed of seeds) {
      const how = { quota, processes: busy(1), seconds: 1_800, seed, wayMs: [10, 10 + early] as const };
      const run = sharedRun(counterOf(seed), how);
      expect(sum(run, "taken", 10, 1_800) / 1_790).toBeGreaterThanOrEqual(0.49);
      expect(sum(run, "refused", 0, 1_800)).toBeLessThanOrEqual(1);
    }
  });
});
