import fc from "fast-check";
import { expect, test } from "vitest";
import { NextSlot } from "../../../../../src/worker/rate-limit/learner/next-slot.ts";

test("the first permit may be used at once, and each later one a gap after the permit before", () => {
  const next = new NextSlot(100, 1);
  expect(next.at).toBe(Number.NEGATIVE_INFINITY);
  next.used(1_000);
  expect(next.at).toBe(1_100);
  next.used(1_130);

  expect(next.at).toBe(1_230);
});

test("a permit that is requested in time and used late does not delay the next one, up to a gap", () => {
  const next = new NextSlot(100, 1);
  next.used(1_000, 1_000);
  next.used(1_130, 1_000);
  expect(next.at).toBe(1_200);
  next.used(1_200, 1_000);
  expect(next.at).toBe(1_300);
  next.used(1_500, 1_000);

  expect(next.at).toBe(1_500);
});

test("a permit that is requested after it was due is late only from its request on", () => {
  const next = new NextSlot(100, 1);
  next.used(1_000, 1_000);
  next.used(5_030, 5_000);

  expect(next.at).toBe(5_100);
});

test("where half a gap may be caught up, a longer delay costs the next permit the rest", () => {
  const next = new NextSlot(100, 0.5);
  next.used(1_000, 1_000);
  next.used(1_180, 1_000);

  expect(next.at).toBe(1_230);
});

const lates = fc.array(fc.double({ min: 0, max: 300, noNaN: true }), { minLength: 10, maxLength: 200 });

test.each([0, 0.5, 1])(
  "a late process loses only what exceeds %d gaps, and any Q + 1 permits take at least Q gaps less that number",
  (catchUp) => {
    fc.assert(
      fc.property(lates, (latesMs) => {
        const next = new NextSlot(100, catchUp);
        next.used(0, 0);
        const used = [0];
        let lostMs = 0;
        for (const late of latesMs) {
          const now = Math.max(next.at, used.at(-1) ?? 0) + late;
          lostMs += Math.max(0, now - next.at - 100 * catchUp);
          next.used(now, 0);
          used.push(now);
        }
        expect(next.at).toBeLessThanOrEqual(100 * used.length + lostMs + 1e-6);
        for (let from = 0; from < used.length; from++) {
          for (let to = from + 1; to < used.length; to++)
            expect((used[to] ?? 0) - (used[from] ?? 0)).toBeGreaterThanOrEqual(100 * (to - from - catchUp) - 1e-6);
        }
      }),
      { numRuns: 30 },
    );
  },
);

test("with late use and changing paces, at most 1 + c permits more come than the paces add up to", () => {
  const step = fc.record({
    gapMs: fc.integer({ min: 1, max: 400 }),
    latesMs: fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 4 }),
    restMs: fc.integer({ min: 0, max: 300 }),
  });
  fc.assert(
    fc.property(fc.constantFrom(0, 0.5, 1), fc.array(step, { minLength: 1, maxLength: 20 }), (catchUp, steps) => {
      const next = new NextSlot(50, catchUp);
      next.used(0, 0);
      let [now, come] = [0, 0];
      /** For each used permit: how many permits had accrued by then. */
      const used = [0];
      let gapMs = 50;
      const pass = (until: number) => {
        come += (until - now) / gapMs;
        now = until;
      };
      for (const { gapMs: nextGapMs, latesMs, restMs } of steps) {
        next.pace(nextGapMs, now);
        gapMs = nextGapMs;
        for (const late of latesMs) {
          pass(Math.max(next.at, now) + late);
          next.used(now, 0);
          used.push(come);
        }
        pass(now + restMs);
      }
      for (let from = 0; from < used.length; from++) {
        for (let to = from + 1; to < used.length; to++) {
          const paid = (used[to] ?? 0) - (used[from] ?? 0);
          expect(to - from + 1).toBeLessThanOrEqual(paid + 1 + catchUp + 1e-6);
        }
      }
    }),
  );
});

test("the rest of a partly accrued permit comes at a faster pace, and a slower pace holds from the last permit", () => {
  const next = new NextSlot(100, 1);
  next.used(1_000);
  next.pace(40, 1_050);
  expect(next.at).toBe(1_070);
  next.pace(400, 1_060);
  expect(next.at).toBe(1_400);
  next.pace(40, 1_064);

  expect(next.at).toBeCloseTo(1_073.6, 9);
});

test("at most one permit accrues while none is requested", () => {
  const next = new NextSlot(100, 1);
  next.used(1_000);
  next.pace(200, 1_500);
  expect(next.at).toBe(1_500);
  next.used(1_600);

  expect(next.at).toBe(1_800);
});

test("after a gap of 0 the next permit is a whole gap away", () => {
  const next = new NextSlot(0, 1);
  next.used(1_000);
  expect(next.at).toBe(1_000);
  next.pace(100, 1_500);
  expect(next.at).toBe(1_600);
  next.pace(0, 1_510);

  expect(next.at).toBe(1_510);
});

test("an alternating pace costs no permit, and a pause keeps what has accrued", () => {
  const next = new NextSlot(1_000, 1);
  let used = 0;
  next.used(0);
  for (let now = 250; now <= 12_000; now += 250) {
    if (next.at <= now) {
      used++;
      next.used(next.at);
    }
    next.pace(now % 500 === 0 ? 1_000 : 1_030, now);
  }
  // Half a second yields 0.493 permits.
  expect(used).toBe(11);

  const paused = new NextSlot(1_000, 1);
  paused.used(0);
  for (let now = 300; now <= 900; now += 300) {
    paused.pace(2 ** 30, now);
    paused.pace(1_000, now);
  }
  expect(paused.at).toBeCloseTo(1_000, 9);
});

test("permits used as they come are at least a gap apart, and the paces between them add up to one", () => {
  const step = fc.record({ gapMs: fc.integer({ min: 1, max: 2_000 }), forMs: fc.integer({ min: 1, max: 900 }) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      const next = new NextSlot(1, 1);
      next.used(0);
      let [now, usedAt, come] = [0, 0, 0];
      for (const { gapMs, forMs } of steps) {
        next.pace(gapMs, now);
        const since = now;
        const until = now + forMs;
        for (let at = next.at; at <= until; at = next.at) {
          come += (at - now) / gapMs;
          const gaps = Math.min(come, (at - usedAt) / gapMs);
          expect(gaps).toBeGreaterThanOrEqual(1 - 1e-9);
          // A permit that is already due at a new pace may come when the pace changes.
          if (at > since) expect(gaps).toBeLessThanOrEqual(1 + 1e-9);
          [now, usedAt, come] = [at, at, 0];
          next.used(at);
        }
        come += (until - now) / gapMs;
        now = until;
      }
    }),
  );
});

test("a closing pace applies to the first permit, too, and the reopening pace grants it at once", () => {
  const next = new NextSlot(0, 1);
  next.pace(2 ** 30, 0);
  next.pace(1_000, 1_000);
  next.pace(2 ** 30, 7_000);
  expect(next.at).toBeGreaterThan(2 ** 29);
  next.pace(1_000, 9_000);

  expect(next.at).toBeLessThanOrEqual(9_000);
});
