import { describe, expect, test } from "vitest";
import { type Cause, Chance } from "../../../../../src/worker/rate-limit/learner/random-429-filter.ts";

/** Requests 10 ms apart, in windows of a second. */
function setup() {
  const chance = new Chance(1_000);
  let now = 0;
  const end = (isTaken: boolean, { isCut = false, isTold = false } = {}): Cause => {
    now += 10;
    const ended = { sentAt: now, now, isCut };
    const cause = isTaken ? chance.taken(ended) : chance.refused(ended, isTold);
    chance.paced(chance.pace, now);
    return cause;
  };
  const take = (count: number, how = {}) => Array.from({ length: count }, () => end(true, how)).find(Boolean);
  /** Every `n`th is refused. @returns what is found, and after how many requests. */
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

test("three 429s in a row may be chance, the fourth is the pace's doing", () => {
  const { end } = setup();
  expect([end(false), end(false), end(false), end(false)]).toEqual([undefined, undefined, undefined, "pace"]);
});

test("five that are taken make up for one more", () => {
  const { end, take } = setup();
  for (let i = 0; i < 3; i++) end(false);
  expect([take(4), end(false)]).toEqual([undefined, "pace"]);
  const other = setup();
  for (let i = 0; i < 3; i++) other.end(false);
  expect([other.take(5), other.end(false)]).toEqual([undefined, undefined]);
});

test("the sixth 429 within 500 requests has it look at a pace of 0.8; one in more than a hundred is let be", () => {
  const { chance, end, refuseEach } = setup();
  refuseEach(100, 599);
  expect(chance.pace).toBe(1);
  expect([end(false), chance.pace]).toEqual([undefined, 0.8]);

  const seldom = setup();
  expect([seldom.refuseEach(101, 10_100), seldom.chance.pace]).toEqual([undefined, 1]);
});

test("what comes as often at the slower pace is chance, and is known for ten minutes", () => {
  const { chance, refuseEach, wait, at } = setup();
  refuseEach(20, 120);
  expect(chance.pace).toBe(0.8);
  // A window passes before it counts, and of the 120 requests in which six would come by chance, two are enough.
  expect(refuseEach(20, 1_000)).toEqual(["chance", 120]);
  expect([chance.pace, chance.share(at())]).toEqual([1, 5 / 100]);
  wait(599_990);
  expect(chance.share(at())).toBe(5 / 100);
  wait(10);
  expect(chance.share(at())).toBe(0);
});

test("what does not come any more at the slower pace is the pace's doing", () => {
  const { chance, end, refuseEach, take } = setup();
  refuseEach(20, 120);
  take(99);
  expect(take(119)).toBe(undefined);
  expect([end(true), chance.share(10_000)]).toEqual(["pace", 0]);
});

test("what is known is not looked at again, unless it has doubled", () => {
  const { chance, refuseEach } = setup();
  refuseEach(20, 1_000);
  expect([refuseEach(20, 2_000), chance.pace]).toEqual([undefined, 1]);
  const looks = Array.from({ length: 120 }, () => [refuseEach(8, 8), chance.pace]);
  expect(looks).toContainEqual([undefined, 0.8]);
});

test("while a pause follows each 429 the third has it look, at half the pace", () => {
  const { chance, refuseEach } = setup();
  refuseEach(20, 59, { isTold: true });
  expect(chance.pace).toBe(1);
  refuseEach(1, 1, { isTold: true });
  expect(chance.pace).toBe(0.5);
  expect(refuseEach(20, 1_000, { isTold: true })).toEqual(["chance", 120]);
});

describe("once the pace has been taken back", () => {
  const isCut = true;

  test("each 429 is its doing", () => {
    const { end, take, chance } = setup();
    chance.forget();
    expect([end(false, { isCut }), take(1_000, { isCut }), end(false, { isCut })]).toEqual(["pace", undefined, "pace"]);
  });

  test("what is known to come by chance is let go one by one", () => {
    const { end, take, refuseEach } = setup();
    refuseEach(20, 1_000);
    // One in twenty.
    take(20, { isCut });
    expect([end(false, { isCut }), end(false, { isCut })]).toEqual([undefined, "pace"]);
  });

  test("a look that was too short goes on where the pace is as slow", () => {
    const { chance, refuseEach, take } = setup();
    refuseEach(20, 120);
    expect(take(220)).toBe("pace");
    expect(refuseEach(20, 59, { isCut })).toEqual(["pace", 20]);
    chance.paced(0.7, 0);
    const late = [1, 2].map(() => refuseEach(20, 20, { isCut })?.[0]);
    expect(late.at(-1)).toBe("chance");
  });
});
