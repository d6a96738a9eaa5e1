import { expect, test } from "vitest";
import { EvmEnv } from "../../../../../src/cli/config/env/nodes-env.ts";
import { quota, quotaText } from "../../../../../src/cli/config/env/quota-field.ts";

const wrongWith = (text: string) => quota.safeParse(text).error?.issues.map(({ message }) => message);

test.each([
  ["250/100ms", 250, 100],
  ["50/1s", 50, 1_000],
  ["600/1min", 600, 60_000],
  ["600/1h", 600, 3_600_000],
  ["100000/1d", 100_000, 86_400_000],
  ["3000000/30d", 3_000_000, 30 * 86_400_000],
  ["1/6d", 1, 6 * 86_400_000],
  ["1000000/1s", 1_000_000, 1_000],
])("%s is a quota, and is shown in the same form", (text, requests, windowMs) => {
  expect(quota.parse(text)).toEqual({ requests, windowMs });
  expect(quotaText({ requests, windowMs })).toBe(text);
});

test.each([
  ["50/s", "50/1s"],
  ["600/h", "600/1h"],
  ["100000/d", "100000/1d"],
  ["100/24h", "100/1d"],
  ["100/90s", "100/90s"],
])("%s is %s", (text, told) => {
  expect(quotaText(quota.parse(text))).toBe(told);
});

const FORM =
  "must look like 50/1s, 600/1min, 5000/1h or 100000/1d, in digits: requests, and the window that they are for";

test.each([
  ["fast", FORM],
  ["50", FORM],
  ["1e12/1s", FORM],
  ["-5/1s", FORM],
  ["1.5/1s", FORM],
  ["50/1w", FORM],
  ["50/1S", FORM],
  [" 50/1s", FORM],
  ["0/1s", "must allow at least 1 request in its window; where there is no quota, leave it out"],
  ["0/0s", "must allow at least 1 request in its window; where there is no quota, leave it out"],
  ["1/0s", "must have a window longer than 0, as 50/1s has"],
  ["1000001/1s", "must be at most 1000000 requests a second; where there is no quota, leave it out"],
  ["1000000000000/1s", "must be at most 1000000 requests a second; where there is no quota, leave it out"],
  [`${"9".repeat(400)}/1s`, "must be at most 1000000 requests a second; where there is no quota, leave it out"],
  ["5/999999d", "must have a window of 366d at most: say what may be made in a shorter one, as 100000/30d"],
  [`5/${"9".repeat(400)}d`, "must have a window of 366d at most: say what may be made in a shorter one, as 100000/30d"],
  ["1/7d", "must allow a request in 6 days at least: give more requests, or a shorter window"],
])("%s is refused with the reason", (text, message) => {
  expect(wrongWith(text)).toEqual([message]);
});

test("the window of a node's quota fits into its timer", () => {
  expect(EvmEnv.shape.EVM_RPC_QUOTA.parse("100000/24d")).toEqual({ requests: 100_000, windowMs: 24 * 86_400_000 });
  expect(EvmEnv.shape.EVM_RPC_QUOTA.safeParse("100000/25d").error?.issues.map(({ message }) => message)).toEqual([
    "must have a window of 24d at most",
  ]);
});
