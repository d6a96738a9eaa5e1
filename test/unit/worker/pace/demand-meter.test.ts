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
