import { describe, expect, test } from "vitest";
import { ProbeSchedule } from "../../../../../../src/worker/rate-limit/learner/search/probe-schedule.ts";

/** Number of requests, one per second, before the next probe. */
function requestsUntilOver(quiet: ProbeSchedule, windowMs = 1_000, toldMs = 0): number {
  quiet.begin(0);
  for (let count = 1; ; count++) {
    quiet.taken(1_000 * count);
    if (quiet.isOver(1_000 * count, windowMs, toldMs)) return count;
  }
}

test("a probe that costs two 429s comes when they are 0.85 % of the requests", () => {
  expect(requestsUntilOver(new ProbeSchedule(true))).toBe(236);
});

test("probes with more 429s are less frequent", () => {
  const quiet = new ProbeSchedule(true);
  for (let i = 0; i < 50; i++) quiet.probed(5);
  expect(requestsUntilOver(quiet)).toBe(589);
});

test.each([
  [1, [25, 29, 34, 39, 44, 51, 58, 67, 77, 88, 102, 117, 122, 121]],
  [2, [25, 34, 44, 58, 77, 102, 134, 177, 234, 236]],
  [20, [25, 410, 1_162]],
])("after a change probes come soon, then less and less often with %i 429s each", (refusals, expected) => {
  const quiet = new ProbeSchedule(true);
  quiet.changed();
  const counts = expected.map(() => {
    const count = requestsUntilOver(quiet);
    quiet.probed(refusals);
    return count;
  });
  expect(counts).toEqual(expected);
});

test("a rate that was just measured is probed after 20 requests", () => {
  expect(requestsUntilOver(new ProbeSchedule(false))).toBe(20);
});

test("a probe never comes before 4 s, however many requests there are", () => {
  const quiet = new ProbeSchedule(true);
  quiet.begin(0);
  for (let i = 0; i < 1_000; i++) quiet.taken(0);

  expect([3_999, 4_000].map((now) => quiet.isOver(now, 1_000, 0))).toEqual([false, true]);
});

test("a probe never comes before half a window, or thirty pauses that the service asked for", () => {
  expect(requestsUntilOver(new ProbeSchedule(true), 600_000)).toBe(300);
  expect(requestsUntilOver(new ProbeSchedule(true), 1_000, 10_000)).toBe(300);
});

test("the wait doubles after each probe without news, up to 120 pauses, and starts again after a change", () => {
  const quiet = new ProbeSchedule(true);
  const seconds = () => {
    const count = requestsUntilOver(quiet, 1_000, 10_000);
    quiet.probed(1);
    return count;
  };
  expect([seconds(), seconds(), seconds(), seconds()]).toEqual([300, 600, 1_200, 1_200]);
  quiet.changed();
  expect([seconds(), seconds()]).toEqual([300, 600]);
});

test("429s that are known after the end of a probe delay the next one like those known before", () => {
  const quiet = new ProbeSchedule(true);
  for (let i = 0; i < 100; i++) {
    quiet.probed(2);
    for (let late = 0; late < 3; late++) quiet.echoed();
  }
  expect(requestsUntilOver(quiet)).toBe(589);
});

test("requests that were sent before the period began do not count", () => {
  const quiet = new ProbeSchedule(false);
  quiet.begin(1_000);
  for (let i = 0; i < 19; i++) quiet.taken(1_000);
  quiet.taken(999);
  expect(quiet.isOver(9_000, 1_000, 0)).toBe(false);
  quiet.taken(1_000);
  expect(quiet.isOver(9_000, 1_000, 0)).toBe(true);
});

describe("while realtime events come", () => {
  const beside = (at = 0) => {
    const quiet = new ProbeSchedule(true);
    quiet.deposit(at);
    return quiet;
  };

  test("a probe comes after half as many requests more", () => {
    expect(requestsUntilOver(beside())).toBe(353);
    const changed = beside();
    changed.changed();
    expect(requestsUntilOver(changed)).toBe(38);
  });

  test("a probe comes after 120 pauses that the service asked for, and the next one after 180", () => {
    const quiet = beside();
    const seconds = () => {
      const count = requestsUntilOver(quiet, 1_000, 3_000);
      quiet.probed(1);
      return count;
    };
    expect([seconds(), seconds(), seconds()]).toEqual([360, 540, 540]);
  });

  test("a rate that was just measured is probed as soon as without realtime events", () => {
    const quiet = new ProbeSchedule(false);
    quiet.deposit(0);
    expect(requestsUntilOver(quiet)).toBe(20);
  });

  test("the slower schedule holds for ten minutes after the last realtime event", () => {
    const seconds = [-364_000, -364_001].map((at) => requestsUntilOver(beside(at)));
    expect(seconds).toEqual([237, 236]);
  });
});
