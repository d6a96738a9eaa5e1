import { expect, test } from "vitest";
import { measuredCheck, measuringLine } from "../../../../../src/cli/wiring/quota/quota-report.ts";
import type { MeasuredQuota } from "../../../../../src/worker/rate-limit/gate/quota-measurement.ts";
import { minTimeMs } from "../../../../../src/worker/rate-limit/sharing/quota.ts";

const learned = { perSecond: 49.2468, burst: 0, windowMs: 1_438 };
const nothing: MeasuredQuota = {
  learned: undefined,
  requests: 0,
  taken: 0,
  refused: 0,
  failed: 0,
  tookMs: 0,
  usedUpMs: 0,
  end: undefined,
};

test("a measured quota is shown with its range, its cost, and the advice for several workers", () => {
  const measured = {
    ...nothing,
    learned,
    requests: 820,
    taken: 789,
    refused: 31,
    tookMs: 14_400,
    end: "learned",
  } as const;

  expect(measuredCheck(measured)).toEqual({
    check: "quota",
    ok: true,
    detail:
      "measured: 49.2 requests a second may be sent, of a quota of 47.3 to 57.6, counted over 1.44 s or so, as far as that shows (820 requests in 15 s, 31 of them refused)",
    remedy:
      "weir screen and one worker learn the same, or begin with it by SERVICE_QUOTA=50/1s; for several workers set SERVICE_QUOTA to what the key may make in all: they share it by TOPIC_CONTROL (as measured, 50/1s)",
  });
});

test("a known burst is shown", () => {
  const { detail } = measuredCheck({ ...nothing, learned: { ...learned, burst: 4.6 }, end: "learned" });

  expect(detail).toContain("47.3 to 57.6, 5 more at once, counted over");
});

test.each([
  [199.9, "200/1s", { requests: 200, windowMs: 1_000 }],
  [9.9, "595/1min", { requests: 595, windowMs: 60_000 }],
  [0.004, "2/5min", { requests: 2, windowMs: 300_000 }],
])("for %d a second SERVICE_QUOTA may be %s, and no faster", (perSecond, said, quota) => {
  const { remedy } = measuredCheck({ ...nothing, learned: { ...learned, perSecond }, end: "learned" });

  expect(remedy.endsWith(` (as measured, ${said})`)).toBe(true);
  expect(1_000 / minTimeMs(quota)).toBeLessThanOrEqual(perSecond);
});

test("no quota at all differs from one that is too large for the requests of the measurement", () => {
  const none = measuredCheck({ ...nothing, requests: 12_000, taken: 12_000, tookMs: 300, end: "requests" });
  const untold = measuredCheck({ ...nothing, requests: 20, taken: 17, refused: 3, tookMs: 4_000, end: "requests" });

  expect([none.ok, none.detail]).toEqual([true, "none was met: 12000 requests in 1 s, 0 of them refused"]);
  expect([untold.ok, untold.detail]).toEqual([
    "warn",
    "not found out: 4.25 requests a second were taken (20 requests in 4 s, 3 of them refused)",
  ]);
  expect(untold.remedy).toBe("allow more requests, as --quota 50000, or ask the service's operator");
});

test("a measurement with too few requests does not report the absence of a quota", () => {
  const few = { ...nothing, requests: 11_999, taken: 11_999, tookMs: 300, end: "requests" } as const;

  expect(measuredCheck(few)).toEqual({
    check: "quota",
    ok: "warn",
    detail: "not found out, none was met so far: 11999 requests in 1 s, 0 of them refused",
    remedy: "allow more requests, as --quota 12000: fewer may end before a quota is used up",
  });
});

test("too little time differs from a quota that did not open again", () => {
  const took = { ...nothing, requests: 700, taken: 500, refused: 200, tookMs: 1_200_000, end: "time" } as const;
  const untold = measuredCheck({ ...took, usedUpMs: 59_000 });
  const closed = measuredCheck({ ...took, usedUpMs: 1_195_000 });

  expect([untold.ok, untold.detail, untold.remedy]).toEqual([
    "warn",
    "not found out: 0.417 requests a second were taken (700 requests in 20 min 0 s, 200 of them refused, nothing but 429s in the last 59 s)",
    "allow more time, as --quota-minutes 60, or ask the service's operator",
  ]);
  expect([closed.ok, closed.detail, closed.remedy]).toEqual([
    "warn",
    "closed: 700 requests in 20 min 0 s, 200 of them refused, nothing but 429s in the last 19 min 55 s",
    "a quota of an hour or a day is used up: ask again when it opens, or ask the service's operator",
  ]);
});

test("a stopped measurement shows its findings, and a quota by the minute does not count as closed", () => {
  const stopped = { ...nothing, requests: 610, taken: 600, refused: 10, tookMs: 30_000, end: "stopped" } as const;

  expect(measuredCheck({ ...stopped, usedUpMs: 28_000 })).toEqual({
    check: "quota",
    ok: "warn",
    detail:
      "stopped, not found out: 20 requests a second were taken (610 requests in 30 s, 10 of them refused, nothing but 429s in the last 28 s)",
    remedy: "nothing is kept of it: the same command begins anew",
  });
  expect(measuredCheck({ ...nothing, end: "stopped" }).detail).toBe(
    "stopped, not found out: 0 requests a second were taken (0 requests in 0 s, 0 of them refused)",
  );
});

test("a line shows the progress of a measurement", () => {
  const measured = { ...nothing, requests: 610, taken: 600, refused: 10, tookMs: 30_000 };

  expect(measuringLine(measured, 1_200_000)).toBe("measuring for 30 s of 20 min 0 s · 610 requests · 10 × 429");
  expect(measuringLine({ ...measured, usedUpMs: 28_000 }, 1_200_000)).toBe(
    "measuring for 30 s of 20 min 0 s · 610 requests · 10 × 429 · used up for 28 s",
  );
});

test("failures are shown beside refusals, and an outage of the service is not taken for its quota", () => {
  const took = { ...nothing, requests: 610, taken: 590, refused: 10, failed: 10, tookMs: 60_000 };

  expect(measuredCheck({ ...took, learned, end: "learned" }).detail).toMatch(
    / \(610 requests in 1 min 0 s, 10 of them refused, 10 failed\)$/,
  );
  expect(measuredCheck({ ...took, end: "down" })).toEqual({
    check: "quota",
    ok: "warn",
    detail:
      "the service went down, not found out: 9.83 requests a second were taken (610 requests in 1 min 0 s, 10 of them refused, 10 failed)",
    remedy: "ask again when it is back: the same command begins anew",
  });
});
