import { expect, test } from "vitest";
import { RecentFailures } from "../../../../../src/worker/batching/failures/recent-failures.ts";

const [one, two, three] = [{}, {}, {}];

test("a failed request counts for items that were not in it, and not for items that were", () => {
  const elsewhere = new RecentFailures<object>();
  expect(elsewhere.isBeside([one], 0)).toBe(false);

  elsewhere.add([one, two], 0);

  expect(elsewhere.isBeside([three], 0)).toBe(true);
  expect(elsewhere.isBeside([two, three], 0)).toBe(false);
});

test("of two failed requests, each counts for the items of the other", () => {
  const elsewhere = new RecentFailures<object>();
  elsewhere.add([one, two], 0);
  elsewhere.add([one, three], 0);

  expect(elsewhere.isBeside([one], 0)).toBe(false);
  expect(elsewhere.isBeside([two], 0)).toBe(true);
});

test("a failure is forgotten after 64 answers", () => {
  const elsewhere = new RecentFailures<object>();
  elsewhere.add([one], 10);

  expect(elsewhere.isBeside([two], 74)).toBe(true);
  expect(elsewhere.isBeside([two], 75)).toBe(false);
});

test("a request with the item that the service fails for says nothing about the service, whatever else it held", () => {
  const elsewhere = new RecentFailures<object>();
  elsewhere.add([one, two], 0);
  elsewhere.blame(three);
  expect(elsewhere.isBeside([three], 0)).toBe(true);

  elsewhere.blame(one);

  expect(elsewhere.isBeside([three], 0)).toBe(false);
});
