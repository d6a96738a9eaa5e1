import fc from "fast-check";
import { expect, test } from "vitest";
import { aloneMinTimeMs, keyMinTimeMs, minTimeMs, spanMs } from "../../../../../src/worker/rate-limit/sharing/quota.ts";

test.each([
  { requests: 50, windowMs: 1_000, processes: 1, ms: 1_000 / 49 },
  { requests: 201, windowMs: 1_000, processes: 1, ms: 5 },
  { requests: 600, windowMs: 60_000, processes: 1, ms: 60_000 / 599 },
  { requests: 50, windowMs: 1_000, processes: 10, ms: 25 },
  { requests: 50, windowMs: 1_000, processes: 25, ms: 40 },
  { requests: 50, windowMs: 1_000, processes: 40, ms: 40 },
  { requests: 2, windowMs: 1_000, processes: 1, ms: 1_000 },
  { requests: 1, windowMs: 1_000, processes: 1, ms: 2_000 },
  { requests: 1, windowMs: 1_000, processes: 9, ms: 2_000 },
])("$requests in $windowMs ms for $processes processes are $ms ms apart", ({ requests, windowMs, processes, ms }) => {
  expect(minTimeMs({ requests, windowMs }, processes)).toBe(ms);
});

test.each([
  { requests: 10, windowMs: 1_000, perSecond: [9, 10 / 1.02, 9.9] },
  { requests: 28, windowMs: 1_000, perSecond: [27, 28 / 1.02, 27.72] },
  { requests: 30, windowMs: 1_000, perSecond: [29, 29, 29.7] },
  { requests: 40, windowMs: 1_000, perSecond: [39, 39, 39.6] },
  { requests: 41, windowMs: 1_000, perSecond: [40, 40, 40] },
  { requests: 10, windowMs: 60_000, perSecond: [0.15, 0.15, 0.165] },
  { requests: 2, windowMs: 1_000, perSecond: [1, 2 / 1.02, 1.98] },
  // The one request that is left out of a window would be half of the quota, or all.
  { requests: 1, windowMs: 1_000, perSecond: [0.5, 1 / 1.02, 0.99] },
  { requests: 1, windowMs: 60_000, perSecond: [0.5 / 60, 0.5 / 60, 0.99 / 60] },
])("at $requests in $windowMs ms a single process sends $perSecond per second", ({ requests, windowMs, perSecond }) => {
  const found = ([0, 1, 2] as const).map((alone) => 1_000 / aloneMinTimeMs({ requests, windowMs }, alone));
  for (const [i, each] of found.entries()) expect(each).toBeCloseTo(perSecond[i] ?? Number.NaN, 9);
});

test("the default is one process", () => {
  expect(minTimeMs({ requests: 11, windowMs: 1_000 })).toBe(100);
});

test("a sliding window never holds more than the quota, nor less than half of it", () => {
  const quotas = fc.record({ requests: fc.integer({ min: 1, max: 10_000 }), windowMs: fc.integer({ min: 1 }) });
  fc.assert(
    fc.property(quotas, fc.integer({ min: 1, max: 1_000 }), (quota, processes) => {
      const perWindow = quota.windowMs / minTimeMs(quota, processes);

      // A window that begins with a request holds one request per gap, and the first.
      if (processes === 1) expect(Math.floor(perWindow + 1e-9) + 1).toBeLessThanOrEqual(quota.requests);
      expect(perWindow).toBeGreaterThanOrEqual(quota.requests / 2 - 1e-9);
    }),
  );
});

test.each([
  { requests: 10, windowMs: 1_000, processes: 4, ms: [1_020, 1_000 + 1_000 / 9] },
  { requests: 10, windowMs: 1_000, processes: 5, ms: [1_020, 1_000 + 1_000 / 9] },
  { requests: 10, windowMs: 1_000, processes: 6, ms: [undefined, undefined] },
  { requests: 10, windowMs: 100, processes: 2, ms: [120, undefined] },
  { requests: 50, windowMs: 1_000, processes: 4, ms: [1_020, 1_040] },
  { requests: 200, windowMs: 1_000, processes: 4, ms: [undefined, undefined] },
  { requests: 200, windowMs: 1_000, processes: 8, ms: [1_020, undefined] },
  { requests: 200, windowMs: 1_000, processes: 20, ms: [1_020, 1_040] },
  { requests: 600, windowMs: 60_000, processes: 4, ms: [undefined, undefined] },
  { requests: 600, windowMs: 60_000, processes: 30, ms: [undefined, undefined] },
  { requests: 10, windowMs: 2_000, processes: 3, ms: [2_020, 2_000 + 2_000 / 9] },
  { requests: 10, windowMs: 2_001, processes: 3, ms: [undefined, undefined] },
  // Several processes take turns. The first request of a turn may come closer to the last one of another turn.
  { requests: 1, windowMs: 1_000, processes: 1, ms: [undefined, undefined] },
])("$processes processes with $requests in $windowMs ms may send whole requests each in $ms ms", (each) => {
  const { requests, windowMs, processes, ms } = each;
  expect(([2, 1] as const).map((closeness) => spanMs({ requests, windowMs }, processes, closeness))).toEqual(ms);
  expect(spanMs({ requests, windowMs }, processes, 0)).toBe(undefined);
});

test.each([
  { requests: 1, members: 1, close: 10 / 10.2, safe: 0.5 },
  { requests: 10, members: 1, close: 10 / 1.02, safe: 9 },
  { requests: 50, members: 1, close: 49, safe: 49 },
  { requests: 50, members: 4, close: 50 / 1.02, safe: 46 },
  { requests: 200, members: 4, close: 196, safe: 196 },
  { requests: 10, members: 8, close: 5, safe: 5 },
  // No statement was read yet.
  { requests: 50, members: 0, close: 50 / 1.02, safe: 48 },
  { requests: 1, members: 0, close: 0.5, safe: 0.5 },
])("with $requests per second $members members send $close per second together, and $safe after a 429", (each) => {
  const quota = { requests: each.requests, windowMs: 1_000 };
  expect(1_000 / keyMinTimeMs(quota, each.members, { alone: 1, closeness: 2 })).toBeCloseTo(each.close, 9);
  expect(1_000 / keyMinTimeMs(quota, each.members, { alone: 0, closeness: 0 })).toBeCloseTo(each.safe, 9);
});
