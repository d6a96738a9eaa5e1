import { describe, expect, test } from "vitest";
import {
  auditLine,
  duration,
  enqueueLine,
  importLine,
  progressLine,
  type RunProgress,
} from "../../../../src/cli/terminal/progress.ts";

const halfway: RunProgress = {
  done: 500,
  total: 1_000,
  requests: 520,
  loadRefusals: 3,
  failed: 0,
  undecided: { ms: 0, loadRefusals: 0 },
  elapsedMs: 10_000,
  resumedAt: 0,
};

describe("the line of a run", () => {
  test.each<[string, Partial<RunProgress>, string]>([
    ["of a run halfway", {}, "500/1000 events (50 %) · 50/s · 520 requests · 3 refused for load · 10 s left"],
    [
      "of a run that has just begun",
      { done: 0, elapsedMs: 0 },
      "0/1000 events (0 %) · 0.0/s · 520 requests · 3 refused for load",
    ],
    [
      "of a slow run",
      { done: 5, total: 10 },
      "5/10 events (50 %) · 0.5/s · 520 requests · 3 refused for load · 10 s left",
    ],
    [
      "of a run at its end",
      { done: 1_000 },
      "1000/1000 events (100 %) · 100/s · 520 requests · 3 refused for load · 0 s left",
    ],
    [
      "that never rounds up to done",
      { done: 999 },
      "999/1000 events (99 %) · 100/s · 520 requests · 3 refused for load · 1 s left",
    ],
    [
      "of a resumed run: what was done before is not its speed",
      { resumedAt: 400 },
      "500/1000 events (50 %) · 10/s · 520 requests · 3 refused for load · 50 s left",
    ],
    ["of an input without an end", { total: undefined }, "500/? events · 50/s · 520 requests · 3 refused for load"],
    [
      "of a run that only hears refusals: why it stands still, and how to end it",
      { done: 999, undecided: { ms: 200_000, loadRefusals: 41 } },
      "999/1000 events (99 %) · 100/s · 520 requests · 3 refused for load · no event decided for 3 min 20 s, 41 refusals since: the quota is used up, or the service refuses what is left for good; Ctrl-C stops, the same command continues the run",
    ],
    [
      "of a run that waits for answers: a remaining time would be a guess",
      { done: 999, undecided: { ms: 200_000, loadRefusals: 0 } },
      "999/1000 events (99 %) · 100/s · 520 requests · 3 refused for load · waits for answers of the service, 3 min 20 s without a decision",
    ],
    [
      "of a run that waits for its quota",
      { undecided: { ms: 12_000, loadRefusals: 2 } },
      "500/1000 events (50 %) · 50/s · 520 requests · 3 refused for load · waits for the quota, 12 s without a decision",
    ],
    [
      "of an input whose end may still grow",
      { done: 998, total: 998, waiting: { from: 999, to: 1_000, isQuoted: true } },
      "998/998 events (100 %) · 100/s · 520 requests · 3 refused for load · lines 999 to 1000 wait · 0 s left",
    ],
    ["of an empty input", { done: 0, total: 0 }, "0/0 events · 0.0/s · 520 requests · 3 refused for load"],
  ])("%s", (_name, own, line) => {
    expect(progressLine({ ...halfway, ...own })).toBe(line);
  });
});

test("the remaining time follows the pace of late", () => {
  expect(progressLine(halfway, 5)).toContain("50/s · 520 requests · 3 refused for load · 1 min 40 s left");
  expect(progressLine(halfway, 0)).not.toContain("left");
});

test("the line of a file that is enqueued shows the line that waits", () => {
  const waiting = { from: 11, to: 11, isQuoted: false };

  expect(enqueueLine({ done: 10, total: 11, before: 0, elapsedMs: 10_000, waiting })).toBe(
    "10/11 lines (90 %) · 1.0/s · line 11 waits · 1 s left",
  );
});

test.each([
  [{ keys: 3_000, objects: 0, verdicts: 0, findings: 0, elapsedMs: 9_000 }, "3000 objects listed · 0 findings"],
  [
    { keys: 100, objects: 25, verdicts: 250, findings: 1, elapsedMs: 60_000 },
    "25/100 objects (25 %) · 250 verdicts · 1 finding · 3 min 0 s left",
  ],
  // Some answers were cached in the meantime.
  [
    { keys: 10, objects: 11, verdicts: 11, findings: 0, elapsedMs: 60_000 },
    "11/10 objects (100 %) · 11 verdicts · 0 findings · 0 s left",
  ],
])("the line of an audit %#", (progress, line) => {
  expect(auditLine(progress)).toBe(line);
});

test.each([
  [0, "0 s"],
  [-5, "0 s"],
  [0.2, "1 s"],
  [59, "59 s"],
  [59.5, "1 min 0 s"],
  [200, "3 min 20 s"],
  [3_599, "59 min 59 s"],
  [3_600, "1 h 0 min"],
  [7_500, "2 h 5 min"],
  [90_000, "25 h 0 min"],
  [172_799, "47 h 59 min"],
  [172_800, "2 d 0 h"],
  [174_700_800, "2022 d 0 h"],
])("%f seconds are shown as %s", (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

test.each([
  [{ bytes: 50 * 2 ** 20, size: 100 * 2 ** 20, pass: 1 }, "50 MiB read (50 %) · 1 row · 3 s"],
  [{ bytes: 2 ** 20, size: undefined, pass: 3 }, "pass 3 · 1 MiB read · 1 row · 3 s"],
])("an import shows the read part: %j", (read, line) => {
  expect(importLine({ ...read, rows: 1, elapsedMs: 3_000 })).toBe(line);
});
