import fc from "fast-check";
import { expect, test } from "vitest";
import { NextSlot } from "../../../../src/worker/pace/next-slot.ts";

test("the first slot may be used at once, and each later one a gap after the one before was used", () => {
  const next = new NextSlot(100);
  expect(next.at).toBe(Number.NEGATIVE_INFINITY);
  next.used(1_000);
  expect(next.at).toBe(1_100);
  next.used(1_130);

  expect(next.at).toBe(1_230);
});

test("a slot that was asked for in time and is used late takes nothing from the next, up to a gap", () => {
  const next = new NextSlot(100);
  next.used(1_000, 1_000);
  next.used(1_130, 1_000);
  expect(next.at).toBe(1_200);
  next.used(1_200, 1_000);
  expect(next.at).toBe(1_300);
  next.used(1_500, 1_000);

  expect(next.at).toBe(1_500);
});

test("a slot that was asked for when it was due already is late from then on only", () => {
  const next = new NextSlot(100);
  next.used(1_000, 1_000);
  next.used(5_030, 5_000);

  expect(next.at).toBe(5_100);
});

test("a timer that fires too soon brings the slots after it no sooner", () => {
  const next = new NextSlot(100);
  next.used(1_000, 1_000);
  for (let i = 1; i <= 50; i++) next.used(1_000 + 100 * i - 0.9, 1_000);

  expect(next.at).toBeCloseTo(6_100, 9);
});

test("a process that is late at every slot loses none, and any Q + 1 in a row take Q - 1 gaps at least", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 300, noNaN: true }), { minLength: 10, maxLength: 200 }), (lates) => {
      const next = new NextSlot(100);
      next.used(0, 0);
      const used = [0];
      let stalledMs = 0;
      for (const late of lates) {
        // Nothing is used before what was used before it.
        const now = Math.max(next.at, used.at(-1) ?? 0) + late;
        stalledMs += Math.max(0, now - next.at - 100);
        next.used(now, 0);
        used.push(now);
      }
      expect(next.at).toBeLessThanOrEqual(100 * used.length + stalledMs + 1e-6);
      for (let from = 0; from < used.length; from++) {
        for (let to = from + 1; to < used.length; to++)
          expect((used[to] ?? 0) - (used[from] ?? 0)).toBeGreaterThanOrEqual(100 * (to - from - 1) - 1e-6);
      }
    }),
    { numRuns: 30 },
  );
});

test("of a slot that has come in part the rest comes at a faster pace, and a slower one holds from the last slot", () => {
  const next = new NextSlot(100);
  next.used(1_000);
  next.pace(40, 1_050);
  expect(next.at).toBe(1_070);
  next.pace(400, 1_060);
  expect(next.at).toBe(1_400);
  next.pace(40, 1_064);

  expect(next.at).toBeCloseTo(1_073.6, 9);
});

test("what comes while nobody asks is one slot at most", () => {
  const next = new NextSlot(100);
  next.used(1_000);
  next.pace(200, 1_500);
  expect(next.at).toBe(1_500);
  next.used(1_600);

  expect(next.at).toBe(1_800);
});

test("after no pace the next slot is a whole gap away", () => {
  const next = new NextSlot(0);
  next.used(1_000);
  expect(next.at).toBe(1_000);
  next.pace(100, 1_500);
  expect(next.at).toBe(1_600);
  next.pace(0, 1_510);

  expect(next.at).toBe(1_510);
});

test("a pace that goes to and fro costs no slot, and a pause none of what had come", () => {
  const next = new NextSlot(1_000);
  let used = 0;
  next.used(0);
  for (let now = 250; now <= 12_000; now += 250) {
    if (next.at <= now) {
      used++;
      next.used(next.at);
    }
    next.pace(now % 500 === 0 ? 1_000 : 1_030, now);
  }
  // Half of a second makes 0.493 of a slot.
  expect(used).toBe(11);

  const paused = new NextSlot(1_000);
  paused.used(0);
  for (let now = 300; now <= 900; now += 300) {
    paused.pace(2 ** 30, now);
    paused.pace(1_000, now);
  }
  expect(paused.at).toBeCloseTo(1_000, 9);
});

test("of those that are used as they come no two are closer than the gap, and the paces between them add up to one", () => {
  const step = fc.record({ gapMs: fc.integer({ min: 1, max: 2_000 }), forMs: fc.integer({ min: 1, max: 900 }) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      const next = new NextSlot(1);
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
          // One that is due by a new pace already may come with it.
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

test("a pace that closes closes for the first slot, too, and one that opens it again gives it at once", () => {
  const next = new NextSlot(0);
  next.pace(2 ** 30, 0);
  next.pace(1_000, 1_000);
  next.pace(2 ** 30, 7_000);
  expect(next.at).toBeGreaterThan(2 ** 29);
  next.pace(1_000, 9_000);

  expect(next.at).toBeLessThanOrEqual(9_000);
});
