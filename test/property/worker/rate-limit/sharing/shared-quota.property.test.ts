import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../../src/kernel/retry.ts";
import { kinds } from "../../../../quota/kinds.ts";
import { type Arrived, type Process, type SharedRunOptions, sharedRun } from "../../../../quota/shared-run.ts";

/** More seeds: `SEEDS=100 vitest run --project unit test/property/worker/rate-limit`. */
const SEEDS = Number(process.env["SEEDS"] ?? 2);
const seeds = Array.from({ length: SEEDS }, (_, i) => i + 1);

/** How unreliably statements arrive. */
type Topic = Pick<SharedRunOptions, "lost" | "delayMs">;

const busy: Process = { demand: () => Number.POSITIVE_INFINITY };
const sum = (run: readonly (readonly Arrived[])[], what: keyof Arrived, from: number, until: number) =>
  run.flatMap((own) => own.slice(from, until)).reduce((all, second) => all + second[what], 0);

describe.each(kinds)("four processes on a key: $name", ({ requests, windowMs, counter }) => {
  const quota = { requests, windowMs };
  const perSecond = (1_000 * requests) / windowMs;
  const least = requests >= 200 && windowMs === 1_000 ? 0.95 : (0.98 * (requests - 4)) / requests;
  /** One window and more, after the first statements. */
  const [from, until] = windowMs > 1_000 ? [70, 190] : [10, 40];
  const against = (processes: readonly Process[], seed: number, seconds = until, topic: Topic = {}) =>
    sharedRun(
      counter(() => requests, seededRandom(seed)()),
      { quota, processes, seconds, seed, ...topic },
    );

  test("the processes use up the quota, in equal shares and almost without a 429", () => {
    for (const seed of seeds) {
      const run = against([busy, busy, busy, busy], seed);
      const taken = sum(run, "taken", from, until);
      expect(taken / (perSecond * (until - from))).toBeGreaterThanOrEqual(least);
      expect(sum(run, "refused", 0, until) / (taken + sum(run, "refused", 0, until))).toBeLessThanOrEqual(0.005);
      for (const own of run) expect(Math.abs(sum([own], "taken", from, until) / taken - 1 / 4)).toBeLessThan(0.02);
    }
  });

  test("a process that is killed leaves its share to the others within 12 s", () => {
    for (const seed of seeds) {
      const run = against([busy, busy, busy, { ...busy, killedAt: from + 0.5 }], seed, until + 30);
      const taken = sum(run, "taken", from + 13, until + 30);
      expect(taken / (perSecond * (until + 17 - from))).toBeGreaterThanOrEqual(least);
      expect(sum(run, "refused", 0, until + 30) / taken).toBeLessThanOrEqual(0.005);
    }
  });

  test("unwanted quota goes to the other processes, which give it back when it is wanted", () => {
    for (const seed of seeds) {
      const late: Process = { demand: (seconds) => (seconds < from + 20 ? 0 : Number.POSITIVE_INFINITY) };
      const run = against([busy, late, late, late], seed, until + 40);
      const [first = []] = run;
      // All except what is kept for three idle processes.
      expect(sum([first], "taken", from, from + 20) / (perSecond * 20)).toBeGreaterThanOrEqual(0.9 * least);
      const shared = sum(run, "taken", from + 24, until + 40);
      expect(sum([first], "taken", from + 24, until + 40) / shared).toBeLessThan(0.27);
      expect(sum(run, "refused", 0, until + 40) / shared).toBeLessThanOrEqual(0.005);
    }
  });

  test("a process that starts later gets its share within 5 s, without 429s for the others", () => {
    for (const seed of seeds) {
      const late = { ...busy, startedAt: from };
      const run = against([busy, busy, busy, late], seed, until + 30);
      const [begin, end] = [from + Math.max(5, windowMs / 1_000), until + 30];
      const taken = sum(run, "taken", begin, end);
      expect(taken / (perSecond * (end - begin))).toBeGreaterThanOrEqual(least);
      for (const own of run) expect(Math.abs(sum([own], "taken", begin, end) / taken - 1 / 4)).toBeLessThan(0.03);
      expect(sum(run, "refused", 0, end) / taken).toBeLessThanOrEqual(0.005);
    }
  });

  test("a fifth of the statements lost, and the others late by almost a second, change nothing", () => {
    for (const seed of seeds) {
      const run = against([busy, busy, busy, busy], seed, until, { lost: 0.2, delayMs: [20, 950] });
      const taken = sum(run, "taken", from, until);
      expect(taken / (perSecond * (until - from))).toBeGreaterThanOrEqual(least - 0.03);
      expect(sum(run, "refused", 0, until) / taken).toBeLessThanOrEqual(0.005);
    }
  });

  test("processes that are all cut off from the topic keep to the quota, and use it for a minute", () => {
    for (const seed of seeds) {
      const cutOff = [from, from + 90] as const;
      const alone = { ...busy, cutOff };
      const run = against([alone, alone, alone, alone], seed, from + 130);
      expect(sum(run, "taken", from, from + 60) / (perSecond * 60)).toBeGreaterThanOrEqual(least - 0.02);
      // Then each process takes its tenth.
      expect(sum(run, "taken", from + 75, from + 90) / (perSecond * 15)).toBeLessThanOrEqual(0.5);
      const taken = sum(run, "taken", 0, from + 130);
      expect(sum(run, "refused", 0, from + 130) / taken).toBeLessThanOrEqual(0.005);
      expect(sum(run, "taken", from + 100, from + 130) / (perSecond * 30)).toBeGreaterThanOrEqual(least - 0.02);
    }
  });
});
