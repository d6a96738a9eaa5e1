import { expect, test } from "vitest";
import { Quiet } from "../../../../src/worker/pace/quiet.ts";

/** How many requests pass, one a second, before the next probe. */
function requestsUntilOver(quiet: Quiet, windowMs = 1_000, toldMs = 0): number {
  quiet.begin(0);
  for (let count = 1; ; count++) {
    quiet.taken();
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

test("after a change they come soon, and then less and less often", () => {
  const quiet = new Quiet(true);
  quiet.changed();
  const counts = [1, 2, 3, 4].map(() => {
    const count = requestsUntilOver(quiet);
    quiet.probed(2);
    return count;
  });
  expect(counts).toEqual([40, 80, 160, 236]);
});

test("what was just measured is tried after 20 requests", () => {
  expect(requestsUntilOver(new Quiet(false))).toBe(20);
});

test("never sooner than half a window, or thirty pauses that the service asked for", () => {
  expect(requestsUntilOver(new Quiet(true), 600_000)).toBe(300);
  expect(requestsUntilOver(new Quiet(true), 1_000, 10_000)).toBe(300);
});
