import { describe, expect, test } from "vitest";
import { DemandMeter } from "../../../../../src/worker/rate-limit/sharing/demand-meter.ts";

const all = Number.POSITIVE_INFINITY;

/** Samples every 250 ms from 0 on. `act` runs at each time, in steps of 25 ms. */
function looks(meter: DemandMeter, until: number, act: (now: number) => void): number[] {
  const found: number[] = [];
  for (let now = 0; now <= until; now += 25) {
    act(now);
    if (now % 250 === 0) found.push(meter.perSecond(now));
  }
  return found;
}

test("a process without requests has no demand", () => {
  expect(looks(new DemandMeter(10), 500, () => undefined)).toEqual([0, 0, 0]);
});

/** The demand after this many steps of a twentieth each. */
const step = (number: number) => expect.closeTo(1.05 ** number, 9);

test("a process that is served at once wants a quarter more than it sent, in steps of a twentieth", () => {
  const meter = new DemandMeter(10);
  const found = looks(meter, 4_000, (now) => {
    if (now % 100 === 0) sendsOne(meter, now);
  });
  // 12.5 per second lies between 1.05^51 and 1.05^52.
  expect(found.at(-1)).toEqual(step(52));
});

test("where a request always waits for a permit the demand is unlimited, and it ends with the wait", () => {
  const meter = new DemandMeter(10);
  meter.waits(0);
  const found = looks(meter, 15_000, (now) => {
    if (now % 100 !== 0 || now === 0 || now > 2_000) return;
    if (now < 2_000) meter.waits(now);
    meter.begins(now);
    meter.ends(now);
  });
  expect(found.slice(1, 9)).toEqual(Array.from({ length: 8 }, () => all));
  // The demand is as if one request per second came, for as long as requests were sent within 10 s: 1.366 lies between
  // 1.05^6 and 1.05^7.
  expect(found.slice(16, 17)).toEqual([step(7)]);
  expect(found.at(-1)).toBe(0);
});

test("requests that wait for more than a quarter of a second should get permits within one, even after an idle time", () => {
  const meter = new DemandMeter(10);
  const found = looks(meter, 3_750, (now) => {
    if (now === 3_000) meter.waits(now);
    for (let i = 0; now === 3_500 && i < 3; i++) meter.waits(now);
  });
  // 4 lies between 1.05^28 and 1.05^29.
  expect(found.slice(-4)).toEqual([0, 1, step(29), step(29)]);
});

test("a wait for a free connection is no wait for a permit", () => {
  const meter = new DemandMeter(1);
  meter.waits(0);
  meter.begins(0);
  meter.waits(0);
  expect(looks(meter, 1_000, () => undefined)).toEqual([0, 0, 0, 0, 0]);
});

test("a request that gives up does not wait any more", () => {
  const meter = new DemandMeter(10);
  meter.waits(0);
  meter.leaves(100);
  expect(looks(meter, 2_250, () => undefined).at(-1)).toBe(0);
});

/** A meter with `maxRunning` connections, sampled once, at 0. */
function idle(maxRunning: number): DemandMeter {
  const meter = new DemandMeter(maxRunning);
  meter.perSecond(0);
  return meter;
}

function sendsOne(meter: DemandMeter, now: number): void {
  meter.waits(now);
  meter.begins(now);
  meter.ends(now);
}

test("the wait for a permit is the wait of the longest waiting request, whichever requests come or give up", () => {
  const [joined, left] = [idle(2), idle(2)];
  for (const meter of [joined, left]) meter.waits(2_000);
  joined.waits(2_200);
  left.waits(2_100);
  left.leaves(2_200);

  // 2 lies between 1.05^14 and 1.05^15.
  expect([joined.perSecond(2_249), joined.perSecond(2_250)]).toEqual([0, step(15)]);
  expect([left.perSecond(2_249), left.perSecond(2_250)]).toEqual([0, 1]);
});

test("a request goes on waiting when another one gets a permit", () => {
  const meter = idle(2);
  meter.waits(2_000);
  meter.waits(2_000);
  meter.begins(2_200);
  // One request in 2,249 ms needs 0.742 permits per second, between 1.05^-7 and 1.05^-6.
  expect([meter.perSecond(2_249), meter.perSecond(2_250)]).toEqual([step(-6), 1]);
  meter.leaves(2_260);

  expect(meter.perSecond(2_500)).not.toBe(1);
});

test("a wait for a connection becomes a wait for a permit once one is free, and two free ones change nothing", () => {
  const [full, half] = [idle(1), idle(2)];
  for (const meter of [full, half]) {
    meter.waits(0);
    meter.begins(0);
    meter.waits(2_000);
    meter.ends(2_200);
  }

  expect([full.perSecond(2_449), full.perSecond(2_450)]).toEqual([step(-7), 1]);
  expect(half.perSecond(2_250)).toBe(1);
});

describe("the demand is unlimited", () => {
  /** A request waits from 20 s on for this long, while this many permits come evenly. Sampled at 24 s. */
  const busyFor = (ms: number, slots: number, sinceMs = 20_000) => {
    const meter = new DemandMeter(2);
    for (let now = 0; now <= sinceMs; now += 250) meter.perSecond(now);
    meter.waits(sinceMs);
    for (let i = 1; i <= slots; i++) {
      meter.waits(sinceMs + (ms * i) / (slots + 1));
      meter.begins(sinceMs + (ms * i) / (slots + 1));
      meter.ends(sinceMs + (ms * i) / (slots + 1));
    }
    meter.leaves(sinceMs + ms);
    return meter.perSecond(sinceMs + 4_000);
  };

  test("once a request waited for nine tenths of four seconds", () => {
    expect(busyFor(3_600, 8)).toBe(all);
    expect(busyFor(3_599, 8)).not.toBe(all);
  });

  test("once a request waited during eight permits, if the process was idle before", () => {
    expect(busyFor(4_000, 8)).toBe(all);
    expect(busyFor(4_000, 7)).not.toBe(all);
    expect(busyFor(4_000, 7, 0)).toBe(all);
  });
});

test("a past burst counts for two seconds, and for ten as if one request per second came", () => {
  const meter = idle(32);
  for (let i = 0; i < 20; i++) sendsOne(meter, 100);

  const found = [250, 1_000, 2_249, 2_250, 8_249, 10_249, 10_250].map((now) => meter.perSecond(now));

  // The next steps above 100, 25 and 11.1, and above 1.366 as if one request per second came. 2 requests in 6 s are
  // less.
  expect(found).toEqual([step(95), step(66), step(50), step(7), step(-10), step(7), 0]);
});

test("one request per second needs a permit every three quarters of a second to wait a second on average", () => {
  const meter = idle(2);
  for (const now of [500, 1_500]) sendsOne(meter, now);

  expect(meter.perSecond(2_000)).toEqual(step(7));
});
