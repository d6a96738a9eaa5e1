import { describe, expect, test } from "vitest";
import { SharedQuota, type SharedQuotaOptions } from "../../../../../src/worker/rate-limit/sharing/shared-quota.ts";

const SECOND = 1_000;
const quota = { requests: 102, windowMs: SECOND };
const all = Number.POSITIVE_INFINITY;
const safe = { alone: 0, closeness: 0 } as const;
const tried = { alone: 2, closeness: 2 } as const;

/** The share of process "a". */
function setup(own = quota, headroom: SharedQuotaOptions["headroom"] = safe) {
  const shared = new SharedQuota({ self: "a", quota: own, alone: 0.1, headroom, since: 0 });
  return {
    shared,
    hear: (member: string, now: number, demand = all, weight = 1, sequence = 0) =>
      shared.heard({ member, demand, weight, sequence }, now),
    at: (now: number) => shared.perSecond(now),
  };
}

test("no request is sent before the own statement is read, and in the second after that", () => {
  const { hear, at } = setup();
  expect(at(0)).toBe(0);
  hear("a", 100);

  expect([at(100), at(1_099), at(1_100)]).toEqual([0, 0, 101]);
});

test("no request is sent in the first second even if the own statement is read before the first call", () => {
  const { hear, at } = setup();
  hear("a", 0);

  expect([at(0), at(999), at(1_000)]).toEqual([0, 0, 101]);
});

test("a share shrinks at once, and grows a second later", () => {
  const { hear, at, shared } = setup();
  hear("a", 0);
  at(0);
  expect(at(1_000)).toBe(101);

  hear("b", 1_200);
  expect(at(1_200)).toBe(50);
  shared.left("b");
  expect([at(1_300), at(2_299), at(2_300)]).toEqual([50, 50, 101]);
});

test("unwanted quota of another process is used, except for a twentieth of its share, and given back at once", () => {
  const { hear, at } = setup();
  hear("a", 0);
  hear("b", 0, 0);
  at(0);
  expect(at(1_000)).toBe(97.5);

  hear("b", 1_500);
  expect(at(1_500)).toBe(50);
});

test("a single process uses nearly all of the quota where the service accepts more than the safe rate", () => {
  const { hear, at } = setup({ requests: 10, windowMs: SECOND }, tried);
  hear("a", 0);
  at(0);

  expect(at(1_000)).toBeCloseTo(9.9, 9);
});

describe("where more than the safe rate is tried", () => {
  const small = { requests: 10, windowMs: SECOND };
  /** The shares of all processes in requests per window, when each has made this many statements. */
  const shares = (everyone: readonly string[], round: number, demand: (member: string) => number = () => all) =>
    everyone.map((self) => {
      const shared = new SharedQuota({ self, quota: small, alone: 0.1, headroom: tried, since: 0 });
      for (const member of everyone) shared.heard({ member, demand: demand(member), weight: 1, sequence: round }, 0);
      shared.perSecond(0);
      return Math.round(1e6 * 1.02 * shared.perSecond(1_000)) / 1e6;
    });

  test("shares are whole requests per window, and the remainder goes from one process to the next", () => {
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

  test("the shares do not depend on the order in which statements were read", () => {
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

  test("a turn is ten statements per process on average, whichever makes them, even in the longest window with turns", () => {
    const shareIn = (...sequences: readonly number[]) => {
      const long = { requests: 9, windowMs: 2_000 };
      const shared = new SharedQuota({ self: "a", quota: long, alone: 0.1, headroom: tried, since: 0 });
      for (const [i, sequence] of sequences.entries())
        shared.heard({ member: "ab"[i] ?? "", demand: all, weight: 1, sequence }, 0);
      shared.perSecond(0);
      return Math.round(2.02 * shared.perSecond(1_000));
    };

    expect([shareIn(10, 9), shareIn(10, 10), shareIn(3, 17), shareIn(20, 19), shareIn(0, 40)]).toEqual([5, 4, 4, 4, 5]);
    // A number beyond all limits counts only with its remainder, and the other processes go on.
    expect([shareIn(2 ** 53 - 2 ** 20, 19), shareIn(2 ** 53 - 2 ** 20, 20)]).toEqual([5, 4]);
  });

  test("a process that wants slightly more than two whole requests may have three", () => {
    const wants: Readonly<Record<string, number>> = { a: all, b: 1.962 };

    // 1.962 * 1.02 = 2.001.
    expect(shares(["a", "b"], 0, (member) => wants[member] ?? 0)).toEqual([7, 3]);
  });

  test("a process that wants less leaves the rest to the others", () => {
    const wants: Readonly<Record<string, number>> = { a: all, b: 0, c: 1.5, d: 0 };

    // At 1.5 per second two requests may fall into one window. The idle processes share the one reserved turn.
    expect([0, 3, 6].map((round) => shares(["a", "b", "c", "d"], round, (member) => wants[member] ?? 0))).toEqual([
      [7, 1, 2, 0],
      [7, 1, 2, 0],
      [7, 0, 2, 1],
    ]);
  });

  test("one step further back leaves out one more request", () => {
    const { hear, at } = setup(small, { alone: 1, closeness: 1 });
    hear("a", 0);
    hear("b", 0);
    at(0);

    // Half of Q - 1.
    expect(at(1_000)).toBeCloseTo(4.5, 9);
  });

  test("a process that does not try more has no less for it", () => {
    const shared = new SharedQuota({ self: "a", quota: small, alone: 0.1, headroom: safe, since: 0 });
    for (const member of ["a", "b", "c", "d"]) shared.heard({ member, demand: all, weight: 1, sequence: 0 }, 0);
    shared.perSecond(0);

    expect(shared.perSecond(1_000)).toBe(1.5);
  });

  test("more processes than half the quota send in turns, in whole requests", () => {
    const six = ["a", "b", "c", "d", "e", "f"];

    // Each process holds its turn for three rounds.
    expect([0, 1, 2, 3, 4].map((round) => shares(six, round))).toEqual([
      [2, 2, 2, 2, 2, 0],
      [0, 2, 2, 2, 2, 2],
      [2, 2, 0, 2, 2, 2],
      [2, 2, 2, 2, 0, 2],
      [2, 2, 2, 2, 2, 0],
    ]);
  });

  test("the one active process of an idle fleet gets what it wants, except for one request", () => {
    const fleet = Array.from({ length: 24 }, (_, i) => String.fromCharCode(97 + i));
    const sent = shares(fleet, 0, (member) => (member === "c" ? all : 0));

    expect(sent).toEqual(fleet.map((member) => ({ a: 1, c: 9 })[member] ?? 0));
  });
});

test("shares are proportional to weights", () => {
  const { hear, at } = setup();
  hear("a", 0, all, 3);
  hear("b", 0);
  at(0);

  expect(at(1_000)).toBe(75);
});

describe("silence", () => {
  test("of another process for 10 s releases its share, a second later", () => {
    const { hear, at, shared } = setup();
    hear("b", 0);
    for (let now = 0; now <= 12_000; now += 100) {
      if (now % 2_000 === 0) hear("a", now);
      const share = at(now);
      if (now >= 1_000) expect([now, share]).toEqual([now, now < 11_100 ? 50 : 101]);
    }
    expect(shared.members).toBe(1);
  });

  test("of the topic keeps the known members for a minute, but lowers the share before the others give it away", () => {
    const { hear, at, shared } = setup();
    hear("a", 0);
    hear("b", 0, 0);
    at(0);

    expect([at(1_000), at(8_000), at(8_001)]).toEqual([97.5, 97.5, 50]);
    // No process is forgotten: this process itself may be unable to read.
    expect([at(60_000), shared.members, at(60_001)]).toEqual([50, 2, 10]);
  });

  test("of the topic limits the share to half of the quota, whichever members are known", () => {
    const { hear, at } = setup();
    hear("a", 0);
    at(0);

    expect([at(1_000), at(8_001)]).toEqual([101, 50]);
  });

  test("counts from the last own statement that was read", () => {
    const { hear, at } = setup();
    hear("a", 5_000);
    hear("b", 5_000);
    at(5_000);

    expect([at(13_000), at(65_000), at(65_001)]).toEqual([50, 50, 10]);
  });

  test("of 8 s does not yet count as the process's own failure to read", () => {
    const { hear, at, shared } = setup();
    hear("a", 0);
    hear("b", 0);
    hear("a", 8_000);
    at(10_000);
    expect(shared.members).toBe(2);
    at(10_001);

    expect(shared.members).toBe(1);
  });

  test("of this process gives the others a new period to be read again", () => {
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

  test("from the start is waited out for 10 s, and then the configured share is taken", () => {
    const { at } = setup();

    expect([at(0), at(10_000), at(10_001), at(11_000), at(11_001)]).toEqual([0, 0, 0, 0, 10]);
  });

  test("from a later start is waited out from then on", () => {
    const shared = new SharedQuota({ self: "a", quota, alone: 0.1, headroom: safe, since: 7_000 });

    expect([17_000, 17_001, 18_000, 18_001].map((now) => shared.perSecond(now))).toEqual([0, 0, 0, 10]);
  });
});

test("more processes than half the quota send in turns, half the quota's number at a time", () => {
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

test("a process has one request per window in its turn, and may have another; weights and an odd quota add none", () => {
  const { hear, at } = setup({ requests: 5, windowMs: SECOND });
  hear("a", 0, all, 10);
  hear("b", 0);
  hear("c", 0);
  at(0);

  expect(at(1_000)).toBe(1);
});

test("a quota of one request belongs to one process at a time", () => {
  const { hear, at } = setup({ requests: 1, windowMs: SECOND });
  hear("a", 0);
  hear("b", 0);
  at(0);
  expect(at(1_000)).toBe(0.5);
  hear("a", 1_000, all, 1, 3);
  hear("b", 1_000, all, 1, 3);

  expect(at(1_001)).toBe(0);
});

test("an oversized weight leaves each other process a twentieth of an equal share, and the lowest weight keeps that", () => {
  const { hear, at } = setup();
  hear("a", 0);
  hear("b", 0, all, 1_000);
  at(0);
  // A tenth of 50.5, of 105.05.
  expect(at(1_000)).toBeCloseTo((100 * 5.05) / 105.05, 9);
  hear("a", 1_000, all, 0.01);

  expect(at(1_001)).toBeCloseTo((100 * 5.0005) / 105.0005, 9);
});

test("at most a thousand members are counted, and the own process always is", () => {
  const { hear, shared } = setup();
  for (let i = 0; i < 1_100; i++) hear(`stranger ${i}`, 0);
  hear("a", 0);

  expect([shared.members, shared.has("a"), shared.has("stranger 1099")]).toEqual([1_001, true, false]);
});
