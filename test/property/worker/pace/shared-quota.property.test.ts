import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../src/kernel/random.ts";
import { kinds } from "../../../quota/kinds.ts";
import { type Arrived, type Process, sharedRun } from "../../../quota/shared-run.ts";

/** More of them: `SEEDS=100 vitest run --project unit test/property/worker/pace`. */
const SEEDS = Number(process.env["SEEDS"] ?? 2);
const seeds = Array.from({ length: SEEDS }, (_, i) => i + 1);

const busy: Process = { demand: () => Number.POSITIVE_INFINITY };
const sum = (run: readonly (readonly Arrived[])[], what: keyof Arrived, from: number, until: number) =>
  run.flatMap((own) => own.slice(from, until)).reduce((all, second) => all + second[what], 0);

describe.each(kinds)("four processes on a key: $name", ({ requests, windowMs, counter }) => {
  const quota = { requests, windowMs };
  const perSecond = (1_000 * requests) / windowMs;
  const least = requests >= 200 && windowMs === 1_000 ? 0.95 : (0.98 * (requests - 4)) / requests;
  /** One window and more, after the first statements. */
  const [from, until] = windowMs > 1_000 ? [70, 190] : [10, 40];
  const against = (processes: readonly Process[], seed: number, seconds = until) =>
    sharedRun(
      counter(() => requests, seededRandom(seed)()),
      { quota, processes, seconds, seed },
    );

  test("use it up, by equal shares and almost without a 429", () => {
    for (const seed of seeds) {
      const run = against([busy, busy, busy, busy], seed);
      const taken = sum(run, "taken", from, until);
      expect(taken / (perSecond * (until - from))).toBeGreaterThanOrEqual(least);
      expect(sum(run, "refused", 0, until) / (taken + sum(run, "refused", 0, until))).toBeLessThanOrEqual(0.005);
      for (const own of run) expect(Math.abs(sum([own], "taken", from, until) / taken - 1 / 4)).toBeLessThan(0.02);
    }
  });

  test("one that is killed leaves its share to the others within 12 s", () => {
    for (const seed of seeds) {
      const run = against([busy, busy, busy, { ...busy, killedAt: from + 0.5 }], seed, until + 30);
      const taken = sum(run, "taken", from + 13, until + 30);
      expect(taken / (perSecond * (until + 17 - from))).toBeGreaterThanOrEqual(least);
      expect(sum(run, "refused", 0, until + 30) / taken).toBeLessThanOrEqual(0.005);
    }
  });

  test("what some do not want the others have, and give back when it is wanted", () => {
    for (const seed of seeds) {
      const late: Process = { demand: (seconds) => (seconds < from + 20 ? 0 : Number.POSITIVE_INFINITY) };
      const run = against([busy, late, late, late], seed, until + 40);
      const [first = []] = run;
      // All but what is kept for three that want nothing.
      expect(sum([first], "taken", from, from + 20) / (perSecond * 20)).toBeGreaterThanOrEqual(0.9 * least);
      const shared = sum(run, "taken", from + 24, until + 40);
      expect(sum([first], "taken", from + 24, until + 40) / shared).toBeLessThan(0.27);
      expect(sum(run, "refused", 0, until + 40) / shared).toBeLessThanOrEqual(0.005);
    }
  });
});
