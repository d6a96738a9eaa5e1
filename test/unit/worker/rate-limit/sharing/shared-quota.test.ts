import { describe, expect, test } from "vitest";
import { SharedQuota, type SharedQuotaOptions } from "../../../../../src/worker/rate-limit/sharing/shared-quota.ts";

const SECOND = 1_000;
const quota = { requests: 102, windowMs: SECOND };
const all = Number.POSITIVE_INFINITY;
const safe = { alone: 0, closeness: 0 } as const;
const tried = { alone: 2, closeness: 2 } as const;

/** The part of process "a". */
function setup(own = quota, headroom: SharedQuotaOptions["headroom"] = safe) {
  const shared = new SharedQuota({ self: "a", quota: own, alone: 0.1, headroom, since: 0 });
  return {
    shared,
    hear: (member: string, now: number, demand = all, weight = 1, sequence = 0) =>
      shared.heard({ member, demand, weight, sequence }, now),
    at: (now: number) => shared.perSecond(now),
  };
}

test("nothing is sent before one's own statement is read, and has been for a second", () => {
  const { hear, at } = setup();
  expect(at(0)).toBe(0);
  hear("a", 100);

  expect([at(100), at(1_099), at(1_100)]).toEqual([0, 0, 101]);
});

test("nor in the first second, where one's own statement was read before anybody asked", () => {
  const { hear, at } = setup();
  hear("a", 0);

  expect([at(0), at(999), at(1_000)]).toEqual([0, 0, 101]);
});

test("a share that shrinks does so at once, one that grows a second later", () => {
  const { hear, at, shared } = setup();
  hear("a", 0);
  at(0);
  expect(at(1_000)).toBe(101);

  hear("b", 1_200);
  expect(at(1_200)).toBe(50);
  shared.left("b");
  expect([at(1_300), at(2_299), at(2_300)]).toEqual([50, 50, 101]);
});

test("what another does not want is had, but for a twentieth of its part, and given back at once", () => {
  const { hear, at } = setup();
  hear("a", 0);
  hear("b", 0, 0);
  at(0);
  expect(at(1_000)).toBe(97.5);

  hear("b", 1_500);
  expect(at(1_500)).toBe(50);
});

test("one that is alone uses nearly all of the quota where the service takes more than what is safe", () => {
  const { hear, at } = setup({ requests: 10, windowMs: SECOND }, tried);
  hear("a", 0);
  at(0);

  expect(at(1_000)).toBeCloseTo(9.9, 9);
});

describe("where more than what is safe is tried", () => {
  const small = { requests: 10, windowMs: SECOND };
  /** The shares of all in requests a window, when each has made so many statements. */
  const shares = (everyone: readonly string[], round: number, demand: (member: string) => number = () => all) =>
    everyone.map((self) => {
      const shared = new SharedQuota({ self, quota: small, alone: 0.1, headroom: tried, since: 0 });
      for (const member of everyone) shared.heard({ member, demand: demand(member), weight: 1, sequence: round }, 0);
      shared.perSecond(0);
      return Math.round(1e6 * 1.02 * shared.perSecond(1_000)) / 1e6;
    });

  test("shares are whole requests a window, and what is left over goes from one to the other", () => {
    const everyone = ["a", "b", "c", "d"];

    expect([0, 9, 10, 20].map((round) => shares(everyone, round))).toEqual([
      [3, 3, 2, 2],
      [3, 3, 2, 2],
      [2, 2, 3, 3],
      [3, 3, 2, 2],
    ]);
    expect([0, 10, 20, 30].map((round) => shares(["a", "b", "c"], round))).toEqual([
      [4, 3, 3],
      [3, 4, 3],
      [3, 3, 4],
      [4, 3, 3],
    ]);
  });

  test("which one has more does not depend on who was heard first", () => {
    const share = (...heard: readonly string[]) => {
      const shared = new SharedQuota({ self: "b", quota: small, alone: 0.1, headroom: tried, since: 0 });
      for (const member of heard) shared.heard({ member, demand: all, weight: 1, sequence: 0 }, 0);
      shared.perSecond(0);
      return Math.round(1.02 * shared.perSecond(1_000));
    };

    expect([share("a", "b", "c"), share("c", "b", "a"), share("b", "c", "a"), share("c", "a", "b")]).toEqual([
      3, 3, 3, 3,
    ]);
  });

  test("a turn is ten statements of each on average, whoever makes them, in the longest window for which there are turns, too", () => {
    const shareIn = (...sequences: readonly number[]) => {
      const long = { requests: 9, windowMs: 2_000 };
      const shared = new SharedQuota({ self: "a", quota: long, alone: 0.1, headroom: tried, since: 0 });
      for (const [i, sequence] of sequences.entries())
        shared.heard({ member: "ab"[i] ?? "", demand: all, weight: 1, sequence }, 0);
      shared.perSecond(0);
      return Math.round(2.02 * shared.perSecond(1_000));
    };

    expect([shareIn(10, 9), shareIn(10, 10), shareIn(3, 17), shareIn(20, 19), shareIn(0, 40)]).toEqual([5, 4, 4, 4, 5]);
    // A number that is beyond all bounds counts for what is left of it, and the others go on.
    expect([shareIn(2 ** 53 - 2 ** 20, 19), shareIn(2 ** 53 - 2 ** 20, 20)]).toEqual([5, 4]);
  });

  test("who wants a little more than two whole ones may have three", () => {
    const wants: Readonly<Record<string, number>> = { a: all, b: 1.962 };

    // 1.962 * 1.02 = 2.001.
    expect(shares(["a", "b"], 0, (member) => wants[member] ?? 0)).toEqual([7, 3]);
  });

  test("who wants less leaves the others the rest", () => {
    const wants: Readonly<Record<string, number>> = { a: all, b: 0, c: 1.5, d: 0 };

    // Of 1.5 a second two may fall into one window; who wants nothing has the one place in reserve, in turns.
    expect([0, 3, 6].map((round) => shares(["a", "b", "c", "d"], round, (member) => wants[member] ?? 0))).toEqual([
      [7, 1, 2, 0],
      [7, 1, 2, 0],
      [7, 0, 2, 1],
    ]);
  });

  test("a step further back leaves the slot of one more", () => {
    const { hear, at } = setup(small, { alone: 1, closeness: 1 });
    hear("a", 0);
    hear("b", 0);
    at(0);

    // Half of Q - 1.
    expect(at(1_000)).toBeCloseTo(4.5, 9);
  });

  test("nobody has less for that who does not try", () => {
    const shared = new SharedQuota({ self: "a", quota: small, alone: 0.1, headroom: safe, since: 0 });
    for (const member of ["a", "b", "c", "d"]) shared.heard({ member, demand: all, weight: 1, sequence: 0 }, 0);
    shared.perSecond(0);

    expect(shared.perSecond(1_000)).toBe(1.5);
  });

  test("more processes than half the quota send in turns, in whole requests", () => {
    const six = ["a", "b", "c", "d", "e", "f"];

    // Each holds its place for three rounds.
    expect([0, 1, 2, 3, 4].map((round) => shares(six, round))).toEqual([
      [2, 2, 2, 2, 2, 0],
      [0, 2, 2, 2, 2, 2],
      [2, 2, 0, 2, 2, 2],
      [2, 2, 2, 2, 0, 2],
      [2, 2, 2, 2, 2, 0],
    ]);
  });

  test("of a fleet that wants nothing one is left what it wants, but for a request", () => {
    const fleet = Array.from({ length: 24 }, (_, i) => String.fromCharCode(97 + i));
    const sent = shares(fleet, 0, (member) => (member === "c" ? all : 0));

    expect(sent).toEqual(fleet.map((member) => ({ a: 1, c: 9 })[member] ?? 0));
  });
});

test("shares go by weight", () => {
  const { hear, at } = setup();
  hear("a", 0, all, 3);
  hear("b", 0);
  at(0);

  expect(at(1_000)).toBe(75);
});

describe("silence", () => {
  test("of another for 10 s frees its share, a second later", () => {
    const { hear, at, shared } = setup();
    hear("b", 0);
    for (let now = 0; now <= 12_000; now += 100) {
      if (now % 2_000 === 0) hear("a", now);
      const share = at(now);
      if (now >= 1_000) expect([now, share]).toEqual([now, now < 11_100 ? 50 : 101]);
    }
    expect(shared.members).toBe(1);
  });

  test("of all that is read leaves a process, before the others give its share away, what it knew of them for a minute", () => {
    const { hear, at, shared } = setup();
    hear("a", 0);
    hear("b", 0, 0);
    at(0);

    expect([at(1_000), at(8_000), at(8_001)]).toEqual([97.5, 97.5, 50]);
    // Nobody is forgotten for it: the silence may be one's own.
    expect([at(60_000), shared.members, at(60_001)]).toEqual([50, 2, 10]);
  });

  test("of all that is read makes at most half of the quota one's own, whoever is known", () => {
    const { hear, at } = setup();
    hear("a", 0);
    at(0);

    expect([at(1_000), at(8_001)]).toEqual([101, 50]);
  });

  test("counts from when one heard oneself last", () => {
    const { hear, at } = setup();
    hear("a", 5_000);
    hear("b", 5_000);
    at(5_000);

    expect([at(13_000), at(65_000), at(65_001)]).toEqual([50, 50, 10]);
  });

  test("of 8 s is not yet one's own", () => {
    const { hear, at, shared } = setup();
    hear("a", 0);
    hear("b", 0);
    hear("a", 8_000);
    at(10_000);
    expect(shared.members).toBe(2);
    at(10_001);

    expect(shared.members).toBe(1);
  });

  test("that was one's own gives the others their time to be heard again", () => {
    const { hear, at, shared } = setup();
    hear("a", 0);
    hear("b", 0);
    at(29_000);
    hear("a", 30_000);
    expect([at(30_000), shared.members]).toEqual([50, 2]);
    hear("a", 37_000);
    expect([at(40_000), shared.members]).toEqual([50, 2]);

    expect([at(40_001), shared.members, at(41_001)]).toEqual([50, 1, 101]);
  });

  test("from the start is waited out for 10 s, and then the configured part is taken", () => {
    const { at } = setup();

    expect([at(0), at(10_000), at(10_001), at(11_000), at(11_001)]).toEqual([0, 0, 0, 0, 10]);
  });

  test("from a start that was later is waited out from then on", () => {
    const shared = new SharedQuota({ self: "a", quota, alone: 0.1, headroom: safe, since: 7_000 });

    expect([17_000, 17_001, 18_000, 18_001].map((now) => shared.perSecond(now))).toEqual([0, 0, 0, 10]);
  });
});

test("more processes than half the quota send in turns, as many at a time as that", () => {
  const few = { requests: 4, windowMs: 60_000 };
  const everyone = ["a", "b", "c", "d", "e"];
  const shares = (round: number) =>
    everyone.map((self) => {
      const shared = new SharedQuota({ self, quota: few, alone: 0.1, headroom: safe, since: 0 });
      for (const member of everyone) shared.heard({ member, demand: all, weight: 1, sequence: round }, 0);
      shared.perSecond(0);
      return 60 * shared.perSecond(1_000);
    });

  // Two windows each.
  expect([0, 29, 30, 60, 120, 150].map(shares)).toEqual([
    [1, 1, 0, 0, 0],
    [1, 1, 0, 0, 0],
    [0, 1, 1, 0, 0],
    [0, 0, 1, 1, 0],
    [1, 0, 0, 0, 1],
    [1, 1, 0, 0, 0],
  ]);
});

test("whose turn it is has one request a window, and may have another: weights and what is odd of the quota add none", () => {
  const { hear, at } = setup({ requests: 5, windowMs: SECOND });
  hear("a", 0, all, 10);
  hear("b", 0);
  hear("c", 0);
  at(0);

  expect(at(1_000)).toBe(1);
});

test("a quota of one request is one process's at a time", () => {
  const { hear, at } = setup({ requests: 1, windowMs: SECOND });
  hear("a", 0);
  hear("b", 0);
  at(0);
  expect(at(1_000)).toBe(0.5);
  hear("a", 1_000, all, 1, 3);
  hear("b", 1_000, all, 1, 3);

  expect(at(1_001)).toBe(0);
});

test("who states a weight beyond all bounds leaves a twentieth of the equal shares, and one who states the least has it", () => {
  const { hear, at } = setup();
  hear("a", 0);
  hear("b", 0, all, 1_000);
  at(0);
  // A tenth of 50.5, of 105.05.
  expect(at(1_000)).toBeCloseTo((100 * 5.05) / 105.05, 9);
  hear("a", 1_000, all, 0.01);

  expect(at(1_001)).toBeCloseTo((100 * 5.0005) / 105.0005, 9);
});

test("no more members are counted than a thousand, oneself always", () => {
  const { hear, shared } = setup();
  for (let i = 0; i < 1_100; i++) hear(`stranger ${i}`, 0);
  hear("a", 0);

  expect([shared.members, shared.has("a"), shared.has("stranger 1099")]).toEqual([1_001, true, false]);
});
