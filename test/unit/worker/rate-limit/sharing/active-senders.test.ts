import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { selectActiveSenders } from "../../../../../src/worker/rate-limit/sharing/active-senders.ts";

const all = Number.POSITIVE_INFINITY;
const small = { requests: 10, windowMs: 1_000 };
const sending = (demands: readonly number[], round = 0, quota = small) =>
  selectActiveSenders(demands, { quota, round }).sending;

test("all processes with demand send, and as many idle ones as the reserve has room for", () => {
  expect(selectActiveSenders([all, all, 0, 1], { quota: small, round: 0 })).toEqual({
    sending: [0, 1, 3, 2],
    senders: 4,
  });
  // The turn of the idle processes may pass on within a window.
  expect(selectActiveSenders([all, 0, 0, 0], { quota: small, round: 0 })).toEqual({ sending: [0, 1], senders: 3 });
  expect(
    sending(
      Array.from({ length: 9 }, (_, i) => (i === 0 ? all : 0)),
      0,
      { requests: 50, windowMs: 1_000 },
    ),
  ).toEqual([0, 1, 2, 3, 4, 5]);
});

test("unused quota goes to idle processes, too", () => {
  expect(sending([0, 0, 0])).toEqual([0, 1, 2]);
  expect(sending([2, 0, 0, 0, 0])).toEqual([0, 1, 2, 3]);
  expect(sending([0, 0, 0, 0, 0, 0])).toEqual([0, 1, 2, 3, 4]);
});

test("a process with little demand comes before idle ones, and shares the reserve with others like it", () => {
  expect(sending([all, 0, 0.4, 0])).toEqual([0, 2]);
  expect(sending([all, 0.1, 0.4, 0])).toEqual([0, 1]);
  expect(sending([all, 0.5, 0.49, 0])).toEqual([0, 1, 2]);
});

test("little demand is less than half a request per window, and less than one per second", () => {
  const minute = { requests: 10, windowMs: 60_000 };
  expect(sending([all, 0.008, 0.0084, 0], 0, minute)).toEqual([0, 2, 1]);
  expect(sending([all, 0.99, 1, 0], 0, { requests: 10, windowMs: 100 })).toEqual([0, 2, 1]);
});

describe("the turn of the idle processes passes on", () => {
  test("every three rounds, or every two windows", () => {
    expect([0, 2.9, 3, 6, 8.9, 9].map((round) => sending([all, 0, 0, 0], round))).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
      [0, 2],
      [0, 2],
      [0, 3],
    ]);
    const minute = { requests: 10, windowMs: 60_000 };
    expect([119, 120].map((round) => sending([all, 0, 0, 0], round, minute))).toEqual([
      [0, 1],
      [0, 2],
    ]);
  });

  test("where only one process may send, it is one with demand", () => {
    const one = { requests: 1, windowMs: 1_000 };
    expect(sending([0, all, 0], 0, one)).toEqual([1]);
    expect(sending([0, 0, 0], 0, one)).toEqual([0]);
  });
});

test("where too many processes have demand, one turn passes on at a time", () => {
  const many = [all, all, all, all, all, all, all];
  expect(selectActiveSenders(many, { quota: small, round: 0 })).toEqual({ sending: [0, 1, 2, 3, 4], senders: 7 });
  expect(sending(many, 0.6)).toEqual([1, 2, 3, 4, 5]);
  expect(sending(many, 1.8)).toEqual([3, 4, 5, 6, 0]);
  // One idle process has a turn. It moves no other process's turn.
  expect(sending([all, all, all, 0, all, all, all], 2.25)).toEqual([4, 5, 6, 0, 3]);
});

const demand = fc.oneof(fc.constant(all), fc.constant(0), fc.double({ min: 0, max: 30, noNaN: true }));

test("at most half of the quota's number send, none twice, and each process gets a turn within its rounds", () => {
  const quotas = fc.record({
    requests: fc.integer({ min: 1, max: 60 }),
    windowMs: fc.constantFrom(100, 1_000, 60_000),
  });
  fc.assert(
    fc.property(fc.array(demand, { minLength: 1, maxLength: 40 }), quotas, (demands, quota) => {
      const capacity = Math.max(1, Math.floor(quota.requests / 2));
      const held = Math.max(3, quota.windowMs / 1_000);
      const rounds = Array.from({ length: demands.length }, (_, i) => i * held);
      const each = rounds.map((round) => selectActiveSenders(demands, { quota, round }));
      for (const { sending: those, senders } of each) {
        expect(new Set(those).size).toBe(those.length);
        expect(those.length).toBeLessThanOrEqual(capacity);
        expect(senders >= those.length && senders <= Math.min(demands.length, 2 * capacity)).toBe(true);
      }
      const been = new Set(each.flatMap(({ sending: those }) => those));
      for (const [i, own] of demands.entries()) if (own === all) expect(been.has(i)).toBe(true);
    }),
  );
});
