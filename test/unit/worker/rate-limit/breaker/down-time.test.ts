import { expect, test } from "vitest";
import { DownTime } from "../../../../../src/worker/rate-limit/breaker/down-time.ts";

test("the down time is the time since the outage began", () => {
  expect(new DownTime().lastsMs(1_000, 21_000)).toBe(20_000);
});

test("the down time stands still on hold, and continues afterwards", () => {
  const time = new DownTime();
  time.hold(21_000);
  expect([time.isHeld, time.lastsMs(1_000, 50_000)]).toEqual([true, 20_000]);
  time.release(1_000, 61_000);

  expect([time.isHeld, time.lastsMs(1_000, 71_000)]).toEqual([false, 30_000]);
});

test("several holds add up, and a repeated hold counts once", () => {
  const time = new DownTime();
  time.hold(10);
  time.hold(15);
  time.release(0, 20);
  time.hold(30);
  expect(time.lastsMs(0, 35)).toBe(20);
  time.release(0, 50);

  expect(time.lastsMs(0, 60)).toBe(30);
});

test("a hold before the outage, or of another outage, does not count", () => {
  const time = new DownTime();
  time.hold(0);
  expect(time.lastsMs(40, 100)).toBe(0);
  time.release(40, 100);
  expect(time.lastsMs(40, 130)).toBe(30);
  time.hold(200);
  time.release(undefined, 300);

  expect(time.lastsMs(400, 450)).toBe(50);
  time.hold(500);
  time.release(400, 510);
  expect(time.lastsMs(400, 520)).toBe(110);
});

test("a release without a hold changes nothing", () => {
  const time = new DownTime();
  time.hold(10);
  time.release(0, 20);
  time.release(0, 25);

  expect(time.lastsMs(0, 30)).toBe(20);
});

test("announced down time does not count, however often it is announced, up to an hour of an outage", () => {
  const time = new DownTime();
  time.announce(1_000, 45_000, 1_000);
  time.announce(1_000, 45_000, 2_000);
  expect([time.lastsMs(1_000, 40_000), time.lastsMs(1_000, 47_000), time.lastsMs(1_000, 50_000)]).toEqual([
    0, 0, 3_000,
  ]);
  time.announce(1_000, 10_000, 50_000);
  expect(time.lastsMs(1_000, 61_000)).toBe(4_000);
  expect(time.lastsMs(2_000, 61_000)).toBe(59_000);
  time.announce(1_000, 10_000_000, 61_000);

  expect(time.lastsMs(1_000, 4_001_000)).toBe(400_000);
});
