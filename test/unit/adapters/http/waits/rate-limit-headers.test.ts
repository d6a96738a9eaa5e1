import { describe, expect, test } from "vitest";
import { isUsedUp, quotaResetMs } from "../../../../../src/adapters/http/waits/rate-limit-headers.ts";

const NOW = Date.UTC(2026, 10, 29, 12);
const seconds = NOW / 1_000;

/** The examples in each vendor's documentation, at this time. */
const vendors: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
  [
    "GitHub",
    { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(seconds + 900) },
    900_000,
  ],
  ["X", { "x-rate-limit-remaining": "0", "x-rate-limit-reset": String(seconds + 60) }, 60_000],
  [
    "Kong",
    {
      "ratelimit-limit": "6",
      "ratelimit-remaining": "0",
      "ratelimit-reset": "47",
      "x-ratelimit-limit-second": "6",
      "x-ratelimit-remaining-second": "0",
    },
    47_000,
  ],
  [
    "Envoy",
    { "x-ratelimit-limit": '10, 10;w=1;name="a"', "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" },
    1_000,
  ],
  ["Discord", { "x-ratelimit-reset": `${seconds + 2}.123`, "x-ratelimit-reset-after": "2.123" }, 2_123],
  ["Cloudflare", { ratelimit: '"default";r=0;t=4', "ratelimit-policy": '"default";q=1200;w=300' }, 4_000],
  ["who counts milliseconds", { "x-ratelimit-reset": String(NOW + 1_500) }, 1_500],
  ["lemlist", { "x-ratelimit-reset": "Sun Nov 29 2026 13:00:02 GMT+0100 (Central European Standard Time)" }, 2_000],
  ["draft 07", { ratelimit: "limit=100, remaining=0, reset=30" }, 30_000],
  ["draft 03", { "ratelimit-limit": "100, 100;w=60", "ratelimit-remaining": "0", "ratelimit-reset": "50" }, 50_000],
];

describe("the time at which the quota is full again", () => {
  test.each(vendors)("is read from %s", (_name, headers, ms) => {
    expect(quotaResetMs(headers, NOW)).toBe(ms);
  });

  test("is that of the last exhausted policy to reset, among several policies", () => {
    const ratelimit = '"burst";r=0;t=1, "hour, all";r=0;t=90, day;t=3600;r=5';

    expect(quotaResetMs({ ratelimit }, NOW)).toBe(90_000);
  });

  test("is read from the IETF's header before those of vendors", () => {
    const headers = { "x-ratelimit-reset": "3", "ratelimit-reset": "2" };

    expect(quotaResetMs(headers, NOW)).toBe(2_000);
    expect(quotaResetMs({ ...headers, ratelimit: '"a";r=0;t=1' }, NOW)).toBe(1_000);
  });
});

describe("no usable header", () => {
  test.each<Readonly<Record<string, string>>>([
    {},
    { "x-ratelimit-reset": String(seconds - 1) },
    { "x-ratelimit-reset": "-1" },
    { "x-ratelimit-reset": "1x" },
    { "ratelimit-reset": "soon" },
    { "ratelimit-reset": "30, 60" },
    { "x-ratelimit-remaining": "12", "x-ratelimit-reset": "30" },
    { "x-ratelimit-reset-requests": "1s" },
    { ratelimit: "" },
    { ratelimit: '"default";r=5;t=30' },
    { ratelimit: '"default";t=30' },
    { ratelimit: '"default";r=0' },
    { ratelimit: '"r=0;t=9"' },
    { ratelimit: "limit=100, remaining=5, reset=30" },
    { ratelimit: "limit=100, remaining=0, reset=-30" },
  ])("%j", (headers) => {
    expect(quotaResetMs(headers, NOW)).toBeUndefined();
  });

  test("a repeated header", () => {
    expect(quotaResetMs({ "x-ratelimit-reset": ["1", "2"] }, NOW)).toBeUndefined();
  });
});

describe("an exhausted quota", () => {
  test.each([
    [{ "x-ratelimit-remaining": "0" }],
    [{ "ratelimit-remaining": " 0 " }],
    [{ ratelimit: '"a";r=5;t=1, "b";r=0;t=9' }],
    [{ ratelimit: '"a";r=0' }],
    [{ ratelimit: "limit=9, remaining=0" }],
    [{ ratelimit: "limit=9, remaining=0, reset=3" }],
  ])("is recognised by %j", (headers) => {
    expect(isUsedUp(headers)).toBe(true);
  });

  test.each([
    [{}],
    [{ "x-ratelimit-remaining": "" }],
    [{ "x-ratelimit-remaining": "1" }],
    [{ ratelimit: '"r=0";r=5;t=1' }],
    [{ ratelimit: '"a";r=0.5;t=1' }],
    [{ ratelimit: '"a";t=1' }],
    [{ ratelimit: "limit=0, remaining=1, reset=3" }],
    [{ ratelimit: ["remaining=0", "remaining=0"] }],
  ])("is not recognised by %j", (headers) => {
    expect(isUsedUp(headers)).toBe(false);
  });
});
