import { expect, test } from "vitest";
import { DemandMeter } from "../../../../src/worker/pace/demand-meter.ts";

const all = Number.POSITIVE_INFINITY;

/** Looks every 250 ms from 0 on; `act` is what happens at a time, in steps of 25 ms. */
function looks(meter: DemandMeter, until: number, act: (now: number) => void): number[] {
  const found: number[] = [];
  for (let now = 0; now <= until; now += 25) {
    act(now);
    if (now % 250 === 0) found.push(meter.perSecond(now));
  }
  return found;
}

test("who asks for nothing wants nothing", () => {
  expect(looks(new DemandMeter(10), 500, () => undefined)).toEqual([0, 0, 0]);
});

test("who is served at once wants a quarter more than was sent, in steps of a quarter", () => {
  const meter = new DemandMeter(10);
  const found = looks(meter, 4_000, (now) => {
    if (now % 100 !== 0) return;
    meter.waits(now);
    meter.begins(now);
    meter.ends(now);
  });
  // 10 a second lie between 1.25^10 and 1.25^11.
  expect(found.at(-1)).toBeCloseTo(1.25 ** 12, 9);
});

test("where somebody always waits for a slot all is wanted, and no more so two seconds later", () => {
  const meter = new DemandMeter(10);
  meter.waits(0);
  const found = looks(meter, 5_000, (now) => {
    if (now % 100 !== 0 || now === 0 || now > 2_000) return;
    if (now < 2_000) meter.waits(now);
    meter.begins(now);
    meter.ends(now);
  });
  expect(found.slice(1, 9)).toEqual(Array.from({ length: 8 }, () => all));
  expect(found.at(-1)).toBe(0);
});

test("who waits for longer than a quarter of a second wants all, though it was idle before", () => {
  const meter = new DemandMeter(10);
  const found = looks(meter, 3_500, (now) => {
    if (now === 3_000) meter.waits(now);
  });
  expect(found.slice(-3)).toEqual([0, all, all]);
});

test("a wait for a free connection is none for a slot", () => {
  const meter = new DemandMeter(1);
  meter.waits(0);
  meter.begins(0);
  meter.waits(0);
  expect(looks(meter, 1_000, () => undefined)).toEqual([0, 0, 0, 0, 0]);
});

test("who gives up waits no more", () => {
  const meter = new DemandMeter(10);
  meter.waits(0);
  meter.leaves(100);
  expect(looks(meter, 2_250, () => undefined).at(-1)).toBe(0);
});

/** One with `maxRunning` connections, looked at once, at 0. */
function idle(maxRunning: number): DemandMeter {
  const meter = new DemandMeter(maxRunning);
  meter.perSecond(0);
  return meter;
}

test("a slot is waited for as long as the first of all waits, whoever comes or gives up", () => {
  const [joined, left] = [idle(2), idle(2)];
  for (const meter of [joined, left]) meter.waits(2_000);
  joined.waits(2_200);
  left.waits(2_100);
  left.leaves(2_200);

  for (const meter of [joined, left]) expect([meter.perSecond(2_249), meter.perSecond(2_250)]).toEqual([0, all]);
});

test("a slot that comes ends the wait, and the next one waits from then on", () => {
  const meter = idle(2);
  meter.waits(2_000);
  meter.waits(2_000);
  meter.begins(2_200);

  // One in 2,449 ms lies between 1.25^-5 and 1.25^-4, and so the next step is asked for.
  expect(meter.perSecond(2_449)).toBeCloseTo(1.25 ** -3, 9);
  expect(meter.perSecond(2_450)).toBe(all);
});

test("who waits for a connection waits for a slot once one is free, and one more that is free changes nothing", () => {
  const [full, half] = [idle(1), idle(2)];
  for (const meter of [full, half]) {
    meter.waits(0);
    meter.begins(0);
    meter.waits(2_000);
    meter.ends(2_200);
  }

  expect([full.perSecond(2_449), full.perSecond(2_450)]).toEqual([expect.closeTo(1.25 ** -3, 9), all]);
  expect(half.perSecond(2_250)).toBe(all);
});

test("from nine tenths of two seconds on that somebody waited all is wanted", () => {
  const busyFor = (ms: number) => {
    const meter = idle(2);
    meter.waits(0);
    // Slots come all the time, so no wait is a long one.
    for (let now = 200; now <= ms; now += 200) {
      meter.waits(now);
      meter.begins(now);
      meter.ends(now);
    }
    meter.leaves(ms);
    return meter.perSecond(2_000);
  };

  expect(busyFor(1_800)).toBe(all);
  expect(busyFor(1_799)).not.toBe(all);
});

test("what was sent two seconds ago counts no more", () => {
  const meter = idle(2);
  meter.waits(100);
  meter.begins(100);
  meter.ends(110);
  meter.perSecond(250);

  expect([meter.perSecond(2_249) > 0, meter.perSecond(2_250)]).toEqual([true, 0]);
});

test("one request a second is a step of its own", () => {
  const meter = idle(2);
  for (const now of [500, 1_500]) {
    meter.waits(now);
    meter.begins(now);
    meter.ends(now);
  }

  expect(meter.perSecond(2_000)).toBe(1.25);
});
