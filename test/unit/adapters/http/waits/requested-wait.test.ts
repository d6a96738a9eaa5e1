import { describe, expect, test } from "vitest";
import { requestedWaitMs } from "../../../../../src/adapters/http/waits/requested-wait.ts";

/** A second before the date of the examples in RFC 9110, 5.6.7. */
const NOW = Date.UTC(1994, 10, 6, 8, 49, 36);

const asked = (headers: Parameters<typeof requestedWaitMs>[1], now: number) => requestedWaitMs(429, headers, now);

describe("the server's Date header", () => {
  const until = { "retry-after": "Sun, 06 Nov 1994 08:49:37 GMT" };
  const sent = { ...until, date: "Sun, 06 Nov 1994 08:49:36 GMT" };

  test.each([
    ["of a server that is ahead of us", NOW - 1_200_000, 1_000],
    ["of a server that is behind us", NOW + 1_200_000, 1_000],
    ["of one that is not: what of that second is over is not waited for again", NOW + 600, 400],
    ["that took a while", NOW + 1_999, undefined],
    ["that took longer than answers do", NOW + 2_000, 1_000],
  ])("%s", (_, now, ms) => {
    expect(asked(sent, now)).toBe(ms);
  });

  test("that is invalid or missing is ignored", () => {
    expect(asked({ ...until, date: "today" }, NOW - 250)).toBe(1_250);
    expect(asked(until, NOW - 250)).toBe(1_250);
  });

  test("does not change a wait in seconds", () => {
    expect(asked({ ...sent, "retry-after": "7" }, NOW - 1_200_000)).toBe(7_000);
  });
});

describe("quota headers", () => {
  const reset = { "x-ratelimit-reset": "30" };

  test("count where Retry-After is missing or unreadable", () => {
    expect(asked(reset, NOW)).toBe(30_000);
    expect(asked({ ...reset, "retry-after": "soon" }, NOW)).toBe(30_000);
    expect(asked({ ...reset, "retry-after": "Sun, 06 Nov 1994 08:49:35 GMT" }, NOW)).toBe(30_000);
    expect(asked({ ...reset, "retry-after": "7" }, NOW)).toBe(7_000);
  });

  test.each([
    [reset],
    [{ ...reset, "x-ratelimit-remaining": "5" }],
    [{ ...reset, "x-ratelimit-remaining": "" }],
    [{ ratelimit: '"default";r=50;t=30' }],
    [{ ratelimit: "limit=100, remaining=10, reset=30" }],
  ])("do not count for a 503 or a 403 while requests are left: %j", (headers) => {
    expect(requestedWaitMs(503, headers, NOW)).toBeUndefined();
    expect(requestedWaitMs(403, headers, NOW)).toBeUndefined();
    expect(requestedWaitMs(503, { ...headers, "retry-after": "7" }, NOW)).toBe(7_000);
  });

  test.each([
    [{ ...reset, "x-ratelimit-remaining": "0" }],
    [{ "ratelimit-reset": "30", "ratelimit-remaining": "0" }],
    [{ ratelimit: '"burst";r=0;t=30, "day";r=900;t=4000' }],
    [{ ratelimit: "limit=100, remaining=0, reset=30" }],
  ])("count for a 503 and a 403 with an exhausted quota: %j", (headers) => {
    expect(requestedWaitMs(503, headers, NOW)).toBe(30_000);
    expect(requestedWaitMs(403, headers, NOW)).toBe(30_000);
  });

  test("with a time are counted from the server's clock", () => {
    const now = Date.UTC(2026, 10, 29);
    const date = new Date(now + 600_000).toUTCString();

    expect(asked({ date, "x-ratelimit-reset": String(now / 1_000 + 630) }, now)).toBe(30_000);
  });
});
