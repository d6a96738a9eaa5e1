import { expect, test } from "vitest";
import { RefusedTime } from "../../../../src/worker/pace/refused-time.ts";

/** What has refused everything at these times. */
function refusedAt(...times: readonly number[]): RefusedTime {
  const refused = new RefusedTime();
  for (const at of times) refused.refused(at);
  return refused;
}

test("knocks after three refusals in ten seconds, and after three more", () => {
  const refused = refusedAt(0, 1, 2);

  expect([9_999, 10_000, 10_001].map((now) => refused.takesKnock(now))).toEqual([false, true, false]);
  for (const at of [11_000, 12_000]) refused.refused(at);
  expect(refused.takesKnock(12_000)).toBe(false);
  refused.refused(13_000);
  expect(refused.takesKnock(13_000)).toBe(true);
});

test("knocks not where fewer are refused, nor after an answer", () => {
  expect(refusedAt().takesKnock(60_000)).toBe(false);
  expect(refusedAt(0, 1).takesKnock(60_000)).toBe(false);
  const refused = refusedAt(0, 1, 2);
  refused.answered({ isKnock: false });
  expect(refused.takesKnock(60_000)).toBe(false);
  for (const at of [60_000, 60_001, 60_002]) refused.refused(at);
  expect(refused.takesKnock(69_999)).toBe(false);
  expect(refused.takesKnock(70_000)).toBe(true);
});

test("an answered knock leads to another one after three refusals, however soon", () => {
  const refused = refusedAt(0, 1, 10_000);
  expect(refused.takesKnock(10_000)).toBe(true);
  refused.answered({ isKnock: true });
  for (const at of [10_100, 10_200]) refused.refused(at);
  expect(refused.takesKnock(10_200)).toBe(false);
  refused.refused(10_300);
  expect(refused.takesKnock(10_300)).toBe(true);
});

test.each([true, false])(
  "tells after half a minute, and once a minute from then on, until an answer; by a knock: %j",
  (isKnock) => {
    const refused = refusedAt(0);
    const told = [29_999, 30_000, 89_999, 90_000].map((at) => refused.refused(at));

    expect(told).toEqual([undefined, 30_000, undefined, 90_000]);
    refused.answered({ isKnock });
    expect([91_000, 120_999, 121_000].map((at) => refused.refused(at))).toEqual([undefined, undefined, 30_000]);
  },
);
