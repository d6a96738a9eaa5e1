import { describe, expect, test } from "vitest";
import { Quiet } from "../../../../../../src/worker/rate-limit/learner/search/probe-schedule.ts";

/** How many requests pass, one a second, before the next probe. */
function requestsUntilOver(quiet: Quiet, windowMs = 1_000, toldMs = 0): number {
  quiet.begin(0);
  for (let count = 1; ; count++) {
    quiet.taken(1_000 * count);
    if (quiet.isOver(1_000 * count, windowMs, toldMs)) return count;
  }
}

test("a probe that costs two 429s comes after so many requests that these are 0.85 %", () => {
  expect(requestsUntilOver(new Quiet(true))).toBe(236);
});

test("the dearer probes are, the fewer there are", () => {
  const quiet = new Quiet(true);
  for (let i = 0; i < 50; i++) quiet.probed(5);
  expect(requestsUntilOver(quiet)).toBe(589);
});

test.each([
  [1, [25, 29, 34, 39, 44, 51, 58, 67, 77, 88, 102, 117, 122, 121]],
  [2, [25, 34, 44, 58, 77, 102, 134, 177, 234, 236]],
  [20, [25, 410, 1_162]],
])("after a change they come soon, and with %i 429s each less and less often", (refusals, expected) => {
  const quiet = new Quiet(true);
  quiet.changed();
  const counts = expected.map(() => {
    const count = requestsUntilOver(quiet);
    quiet.probed(refusals);
    return count;
  });
  expect(counts).toEqual(expected);
});

test("what was just measured is tried after 20 requests", () => {
  expect(requestsUntilOver(new Quiet(false))).toBe(20);
});

test("never sooner than after 4 s, however many requests there are", () => {
  const quiet = new Quiet(true);
  quiet.begin(0);
  for (let i = 0; i < 1_000; i++) quiet.taken(0);

  expect([3_999, 4_000].map((now) => quiet.isOver(now, 1_000, 0))).toEqual([false, true]);
});

test("never sooner than half a window, or thirty pauses that the service asked for", () => {
  expect(requestsUntilOver(new Quiet(true), 600_000)).toBe(300);
  expect(requestsUntilOver(new Quiet(true), 1_000, 10_000)).toBe(300);
});

test("twice as late after each probe that found nothing new, up to 120 pauses; from the beginning after a change", () => {
  const quiet = new Quiet(true);
  const seconds = () => {
    const count = requestsUntilOver(quiet, 1_000, 10_000);
    quiet.probed(1);
    return count;
  };
  expect([seconds(), seconds(), seconds(), seconds()]).toEqual([300, 600, 1_200, 1_200]);
  quiet.changed();
  expect([seconds(), seconds()]).toEqual([300, 600]);
});

test("429s that are known after the probe was over make the next one as late as those known before", () => {
  const quiet = new Quiet(true);
  for (let i = 0; i < 100; i++) {
    quiet.probed(2);
    for (let late = 0; late < 3; late++) quiet.echoed();
  }
  expect(requestsUntilOver(quiet)).toBe(589);
});

test("what left before the time began does not count", () => {
  const quiet = new Quiet(false);
  quiet.begin(1_000);
  for (let i = 0; i < 19; i++) quiet.taken(1_000);
  quiet.taken(999);
  expect(quiet.isOver(9_000, 1_000, 0)).toBe(false);
  quiet.taken(1_000);
  expect(quiet.isOver(9_000, 1_000, 0)).toBe(true);
});

describe("while deposits come", () => {
  const beside = (at = 0) => {
    const quiet = new Quiet(true);
    quiet.deposit(at);
    return quiet;
  };

  test("a probe comes after half as many requests more", () => {
    expect(requestsUntilOver(beside())).toBe(353);
    const changed = beside();
    changed.changed();
    expect(requestsUntilOver(changed)).toBe(38);
  });

  test("a probe comes after 120 pauses that the service asked for, and one after another after 180", () => {
    const quiet = beside();
    const seconds = () => {
      const count = requestsUntilOver(quiet, 1_000, 3_000);
      quiet.probed(1);
      return count;
    };
    expect([seconds(), seconds(), seconds()]).toEqual([360, 540, 540]);
  });

  test("what was just measured is tried as soon as ever", () => {
    const quiet = new Quiet(false);
    quiet.deposit(0);
    expect(requestsUntilOver(quiet)).toBe(20);
  });

  test("and for ten minutes after the last one", () => {
    const seconds = [-364_000, -364_001].map((at) => requestsUntilOver(beside(at)));
    expect(seconds).toEqual([237, 236]);
  });
});
