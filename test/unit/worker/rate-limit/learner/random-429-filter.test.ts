import { describe, expect, test } from "vitest";
import { type Cause, Random429Filter } from "../../../../../src/worker/rate-limit/learner/random-429-filter.ts";

/** Requests 10 ms apart, in windows of a second. */
function setup() {
  const chance = new Random429Filter(1_000);
  let now = 0;
  const end = (isTaken: boolean, { isCut = false, isTold = false } = {}): Cause => {
    now += 10;
    const ended = { sentAt: now, now, isCut };
    const cause = isTaken ? chance.taken(ended) : chance.refused(ended, isTold);
    chance.paced(chance.pace, now);
    return cause;
  };
  const take = (count: number, how = {}) => Array.from({ length: count }, () => end(true, how)).find(Boolean);
  /** Refuses every `n`th request. @returns the cause, and the number of requests until it was found. */
  const refuseEach = (n: number, most: number, how = {}) => {
    for (let i = 1; i <= most; i++) {
      const cause = end(i % n !== 0, how);
      if (cause !== undefined) return [cause, i];
    }
    return undefined;
  };
  const wait = (ms: number) => {
    now += ms;
  };
  return { chance, end, take, refuseEach, wait, at: () => now };
}

test("three 429s in a row may be random, and the fourth is caused by the pace", () => {
  const { end } = setup();
  expect([end(false), end(false), end(false), end(false)]).toEqual([undefined, undefined, undefined, "pace"]);
});

test("five accepted requests allow one more random 429", () => {
  const { end, take } = setup();
  for (let i = 0; i < 3; i++) end(false);
  expect([take(4), end(false)]).toEqual([undefined, "pace"]);
  const other = setup();
  for (let i = 0; i < 3; i++) other.end(false);
  expect([other.take(5), other.end(false)]).toEqual([undefined, undefined]);
});

test("the sixth 429 in 500 requests begins a check at 0.8 of the pace, but 429s below 1 % begin none", () => {
  const { chance, end, refuseEach } = setup();
  refuseEach(100, 599);
  expect(chance.pace).toBe(1);
  expect([end(false), chance.pace]).toEqual([undefined, 0.8]);

  const seldom = setup();
  expect([seldom.refuseEach(101, 10_100), seldom.chance.pace]).toEqual([undefined, 1]);
});

test("429s that are as frequent at the slower pace are random, and that is known for ten minutes", () => {
  const { chance, refuseEach, wait, at } = setup();
  refuseEach(20, 120);
  expect(chance.pace).toBe(0.8);
  // A window passes before the check counts. Of the 120 requests in which six random 429s would come, two refused ones
  // are enough.
  expect(refuseEach(20, 1_000)).toEqual(["chance", 120]);
  expect([chance.pace, chance.share(at())]).toEqual([1, 5 / 100]);
  wait(599_990);
  expect(chance.share(at())).toBe(5 / 100);
  wait(10);
  expect(chance.share(at())).toBe(0);
});

test("429s that stop at the slower pace are caused by the pace", () => {
  const { chance, end, refuseEach, take } = setup();
  refuseEach(20, 120);
  take(99);
  expect(take(119)).toBe(undefined);
  expect([end(true), chance.share(10_000)]).toEqual(["pace", 0]);
});

test("a known share is not checked again, unless it has doubled", () => {
  const { chance, refuseEach } = setup();
  refuseEach(20, 1_000);
  expect([refuseEach(20, 2_000), chance.pace]).toEqual([undefined, 1]);
  const looks = Array.from({ length: 120 }, () => [refuseEach(8, 8), chance.pace]);
  expect(looks).toContainEqual([undefined, 0.8]);
});

test("where each 429 is followed by a pause, the third begins a check at half the pace", () => {
  const { chance, refuseEach } = setup();
  refuseEach(20, 59, { isTold: true });
  expect(chance.pace).toBe(1);
  refuseEach(1, 1, { isTold: true });
  expect(chance.pace).toBe(0.5);
  expect(refuseEach(20, 1_000, { isTold: true })).toEqual(["chance", 120]);
});

describe("once the pace was reduced", () => {
  const isCut = true;

  test("each 429 is caused by the pace", () => {
    const { end, take, chance } = setup();
    chance.forget();
    expect([end(false, { isCut }), take(1_000, { isCut }), end(false, { isCut })]).toEqual(["pace", undefined, "pace"]);
  });

  test("429s that are known to be random are ignored one by one", () => {
    const { end, take, refuseEach } = setup();
    refuseEach(20, 1_000);
    // One in twenty.
    take(20, { isCut });
    expect([end(false, { isCut }), end(false, { isCut })]).toEqual([undefined, "pace"]);
  });

  test("a check that was too short continues where the pace is as slow", () => {
    const { chance, refuseEach, take } = setup();
    refuseEach(20, 120);
    expect(take(220)).toBe("pace");
    expect(refuseEach(20, 59, { isCut })).toEqual(["pace", 20]);
    chance.paced(0.7, 0);
    const late = [1, 2].map(() => refuseEach(20, 20, { isCut })?.[0]);
    expect(late.at(-1)).toBe("chance");
  });
});
