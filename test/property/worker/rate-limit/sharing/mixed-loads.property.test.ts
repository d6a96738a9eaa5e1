import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../../src/kernel/retry.ts";
import { kinds } from "../../../../quota/kinds.ts";
import { type Asked, type Load, memberRun } from "../../../../quota/member-run.ts";

/** More seeds: `SEEDS=20 vitest run --project unit test/property/worker/rate-limit`. */
const SEEDS = Number(process.env["SEEDS"] ?? 1);
const seeds = Array.from({ length: SEEDS }, (_, i) => i + 1);

const busy: Load = { busy: 40 };
/** About one request per second, at random. */
const quiet: Load = { everyMs: 1_000 };
const between = (asked: readonly Asked[], from: number, until: number) =>
  asked.filter(({ at }) => at >= 1_000 * from && at < 1_000 * until);
const taken = (run: readonly (readonly Asked[])[], from: number, until: number) =>
  between(run.flat(), from, until).filter(({ isTaken }) => isTaken).length;
const refused = (run: readonly (readonly Asked[])[]) => run.flat().filter(({ isTaken }) => !isTaken).length;
const waits = (run: readonly (readonly Asked[])[], from: number) =>
  run
    .flatMap((own) => between(own, from, Number.POSITIVE_INFINITY))
    .map(({ waitedMs }) => waitedMs)
    .toSorted((a, b) => a - b);

const longestGapMs = (own: readonly Asked[]) => Math.max(...own.slice(1).map(({ at }, i) => at - (own[i]?.at ?? at)));

describe.each(kinds)("processes that measure their demand: $name", ({ requests, windowMs, counter }) => {
  const quota = { requests, windowMs };
  const perSecond = (1_000 * requests) / windowMs;
  const against = (loads: readonly Load[], seed: number, seconds: number) =>
    memberRun(
      counter(() => requests, seededRandom(seed)()),
      { quota, loads, seconds, seed },
    );

  test("one busy process uses what three occasional ones leave, and these wait for at most three seconds", async () => {
    /*
     * Of 600 per minute, three processes with one request per second keep 1.5 each. With less they would wait for
     * seconds on average. The part of it that they do not use is an eighth of the quota.
     */
    const least =
      requests >= 200 && windowMs === 1_000 ? 0.95 : windowMs > 1_000 ? 0.8 : (0.98 * (requests - 4)) / requests;
    for (const seed of seeds) {
      const run = await against([busy, quiet, quiet, quiet], seed, 140);
      expect(taken(run, 20, 140) / (perSecond * 120)).toBeGreaterThanOrEqual(least);
      const waited = waits(run.slice(1), 20);
      expect(waited[Math.floor(0.9 * waited.length)]).toBeLessThan(1_000);
      expect(waited.at(-1)).toBeLessThan(3_000);
      expect(refused(run) / taken(run, 0, 140)).toBeLessThanOrEqual(0.005);
    }
  });

  test("of five requests of an idle process the first goes at once, the second within 2.3 s, the rest at its share", async () => {
    for (const seed of seeds) {
      const run = await against([busy, busy, busy, { burst: { at: 40, requests: 5 } }], seed, 50);
      const waited = run.slice(3).flatMap((own) => own.map(({ waitedMs }) => waitedMs));
      expect(waited).toHaveLength(5);
      expect(waited[0]).toBe(0);
      expect(waited[1]).toBeLessThan(2_300);
      expect(waited.at(-1)).toBeLessThan(3_500);
      expect(refused(run) / taken(run, 0, 50)).toBeLessThanOrEqual(0.005);
    }
  });

  test("a process that becomes busy gets its share within ten seconds, and releases it within ten of its end", async () => {
    for (const seed of seeds) {
      const run = await against([busy, { ...busy, from: 40, until: 70 }, busy, {}], seed, 110);
      const parts = run.slice(0, 3).map((own) => between(own, 50, 70).length / taken(run, 50, 70));
      for (const part of parts) expect(Math.abs(part - 1 / 3)).toBeLessThan(0.04);
      // 40 requests still wait at its end.
      const freed = 70 + 40 / (perSecond / 3) + 10;
      const [first = [], , third = []] = run;
      const both = between(first, freed, 110).length + between(third, freed, 110).length;
      if (freed < 100)
        expect(both / (perSecond * (110 - freed))).toBeGreaterThanOrEqual((0.9 * (requests - 4)) / requests);
      expect(refused(run) / taken(run, 0, 110)).toBeLessThanOrEqual(0.005);
    }
  });
});

test("one busy process uses what nineteen occasional ones leave: more than 0.85 of 200 per second", async () => {
  const [kind] = kinds.filter(({ name }) => name === "a sliding window of 200/s");
  for (const seed of seeds) {
    const loads = [busy, ...Array.from({ length: 19 }, () => quiet)];
    const counter = kind?.counter(() => 200, 0) ?? expect.fail("no such kind");
    const run = await memberRun(counter, { quota: { requests: 200, windowMs: 1_000 }, loads, seconds: 80, seed });
    expect(taken(run, 20, 80) / (200 * 60)).toBeGreaterThanOrEqual(0.85);
    expect(waits(run.slice(1), 20).at(-1)).toBeLessThan(3_000);
    expect(refused(run)).toBe(0);
  }
});

const small = kinds.filter(({ requests }) => requests === 10);

describe.each(small)("a small quota of a fleet: $name", ({ requests, windowMs, counter }) => {
  const quota = { requests, windowMs };
  const against = (loads: readonly Load[], seed: number, seconds: number) =>
    memberRun(
      counter(() => requests, seededRandom(seed)()),
      { quota, loads, seconds, seed },
    );

  test.each([
    { workers: 4, least: 0.84 },
    { workers: 6, least: 0.82 },
    { workers: 12, least: 0.78 },
    { workers: 24, least: 0.68 },
  ])("one busy process of $workers uses what the others leave, which ask once a minute", async ({ workers, least }) => {
    const idle: Load = { everyMs: 60_000 };
    for (const seed of seeds) {
      const run = await against([busy, ...Array.from({ length: workers - 1 }, () => idle)], seed, 140);
      expect(taken(run, 20, 140) / (requests * 120)).toBeGreaterThanOrEqual(least);
      const [own = []] = run;
      // Where more than five processes ask at once, they take turns for a moment.
      expect(longestGapMs(between(own, 20, 140))).toBeLessThan(workers < 24 ? 1_000 : 6_000);
      // A quarter of a second, a check, the topic, a second for the others to give way, and a check. More where many
      // ask at once.
      const waited = waits(run.slice(1), 20);
      expect(waited[Math.floor(0.9 * waited.length)]).toBeLessThan(3_000);
      expect(waited.at(-1)).toBeLessThan(workers < 12 ? 3_000 : 6_000);
      expect(refused(run) / taken(run, 0, 140)).toBeLessThanOrEqual(0.005);
    }
  });

  test.each([
    { workers: 6, gapMs: 5_000 },
    { workers: 12, gapMs: 14_000 },
    { workers: 24, gapMs: 30_000 },
  ])(
    "$workers busy processes use more than three quarters of it, in equal shares, in turns",
    async ({ workers, gapMs }) => {
      for (const seed of seeds) {
        const run = await against(
          Array.from({ length: workers }, () => busy),
          seed,
          260,
        );
        const all = taken(run, 20, 260);
        expect(all / (requests * 240)).toBeGreaterThanOrEqual(0.77);
        for (const own of run) {
          expect(between(own, 20, 260).length / (all / workers)).toBeGreaterThan(0.8);
          expect(longestGapMs(between(own, 20, 260))).toBeLessThan(gapMs);
        }
        expect(refused(run) / taken(run, 0, 260)).toBeLessThanOrEqual(0.005);
      }
    },
  );

  test("four busy processes use it up whatever their wall clocks say", async () => {
    for (const aheadMs of [0, 1_000, 20_000, 3_600_000])
      for (const seed of seeds) {
        const run = await against([{ ...busy, aheadMs }, busy, { ...busy, aheadMs: -aheadMs / 2 }, busy], seed, 140);
        expect(taken(run, 20, 140) / (requests * 120)).toBeGreaterThanOrEqual(0.95);
        expect(refused(run)).toBe(0);
      }
  });
});
