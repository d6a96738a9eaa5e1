import { expect, test } from "vitest";
import { eventBytes, ticketBytes } from "../../../../src/worker/group/held-bytes.ts";

const record = { topic: "live", partition: 0, offset: 0, timestamp: 0, headers: {} };

test("what is held is more than the value, and something without one", () => {
  const ofSize = (value: Uint8Array | undefined) => [
    eventBytes({ ...record, value }),
    ticketBytes({ ...record, value }),
  ];
  expect(ofSize(undefined)).toEqual([1_024, 2_048]);
  expect(ofSize(new Uint8Array(1_000))).toEqual([4_024, 7_048]);
});

test("lanes and tiers full of ordinary records are full by their number, and not by their bytes", () => {
  expect(20_000 * eventBytes({ ...record, value: new Uint8Array(170) })).toBe(30_680_000);
  expect(5_000 * ticketBytes({ ...record, value: new Uint8Array(613) })).toBe(25_565_000);
});
