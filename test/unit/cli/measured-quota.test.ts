import { expect, test } from "vitest";
import { measuredCheck } from "../../../src/cli/measured-quota.ts";

const learned = { perSecond: 49.2468, burst: 0, windowMs: 1_000 };

test("a quota that was found is said with what it took", () => {
  expect(measuredCheck({ learned, requests: 820, refused: 31, tookMs: 14_400 })).toEqual({
    check: "quota",
    ok: true,
    detail: "measured: 49.2 requests a second may be sent (820 requests in 14 s, 31 of them refused)",
    remedy: "SERVICE_QUOTA need not be set: a worker learns the same",
  });
});

test("no quota met, and one that so few requests do not tell, are two things", () => {
  const none = measuredCheck({ learned: undefined, requests: 2_000, refused: 0, tookMs: 300 });
  const untold = measuredCheck({ learned: undefined, requests: 20, refused: 3, tookMs: 4_000 });

  expect([none.ok, none.detail]).toEqual([true, "none was met: 2000 requests in 1 s, 0 of them refused"]);
  expect([untold.ok, untold.detail]).toEqual(["warn", "not found out: 20 requests in 4 s, 3 of them refused"]);
  expect(untold.remedy).toBe("allow more requests, as --quota 10000, or ask the service's operator");
});
