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

test("of a slot that has come in part the rest comes at the new pace, a faster or a slower one", () => {
  const next = new NextSlot(100);
  next.used(1_000);
  next.pace(40, 1_050);
  expect(next.at).toBe(1_070);
  next.pace(400, 1_060);

  expect(next.at).toBe(1_160);
});

test("what comes while nobody asks is one slot at most, which a slower pace does not take away", () => {
  const next = new NextSlot(100);
  next.used(1_000);
  next.pace(1_000, 1_500);
  expect(next.at).toBe(1_500);
  next.used(1_600);

  expect(next.at).toBe(2_600);
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

test("between two slots of those that are used as they come the paces add up to one", () => {
  const step = fc.record({ gapMs: fc.integer({ min: 1, max: 2_000 }), forMs: fc.integer({ min: 1, max: 900 }) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      const next = new NextSlot(1);
      next.used(0);
      let now = 0;
      let come = 0;
      for (const { gapMs, forMs } of steps) {
        next.pace(gapMs, now);
        const until = now + forMs;
        for (let at = next.at; at <= until; at = next.at) {
          expect(come + (at - now) / gapMs).toBeCloseTo(1, 9);
          come = 0;
          now = at;
          next.used(at);
        }
        come += (until - now) / gapMs;
        now = until;
      }
    }),
  );
});
