import fc from "fast-check";
import { expect, test } from "vitest";
import {
  agreement,
  type EpochEnd,
  type EpochStart,
  epochsToCommit,
} from "../../../../../src/adapters/kafka/offsets/log-truncation.ts";

const epochs = (...of: readonly (readonly [epoch: number, from: number])[]) =>
  of.map(([epoch, from]) => ({ epoch, from }));

test.each([
  { what: "up to the end of the epoch that was read last", read: epochs([4, 0]), answer: [4, 70], expected: 70 },
  { what: "up to the end of an earlier epoch", read: epochs([4, 0], [6, 80]), answer: [4, 70], expected: 70 },
  {
    what: "up to where another epoch was read in the log before, though it holds more of the earlier one",
    read: epochs([4, 0], [6, 60]),
    answer: [4, 70],
    expected: 60,
  },
  {
    what: "up to the first epoch that it lacks",
    read: epochs([2, 0], [4, 30], [6, 60]),
    answer: [2, 40],
    expected: 30,
  },
  { what: "up to the end of an epoch that was not read", read: epochs([4, 20]), answer: [3, 15], expected: 15 },
  {
    what: "as far as is known, where its leader knows no such epoch",
    read: epochs([4, 0]),
    answer: [-1, -1],
    expected: undefined,
  },
  {
    what: "as far as is known, where its leader tells of a later epoch",
    read: epochs([4, 0]),
    answer: [5, 0],
    expected: undefined,
  },
  { what: "as far as is known, where nothing was read", read: [], answer: [4, 70], expected: undefined },
] as const)("a log holds the read records $what", ({ read, answer: [epoch, end], expected }) => {
  expect(agreement(read, { epoch, end }).until).toBe(expected);
});

test("nothing is known of a log with a leader that reports nothing", () => {
  expect(agreement(epochs([4, 0]), undefined)).toEqual({ until: undefined, rest: [] });
});

test("an unread epoch tells nothing about the epochs before it", () => {
  const read = epochs([1, 0], [2, 10], [4, 20]);
  expect(agreement(read, { epoch: 3, end: 15 })).toEqual({ until: 15, rest: epochs([1, 0], [2, 10]) });
  expect(agreement(read, { epoch: 2, end: 15 }).rest).toEqual([]);
});

interface Appended {
  readonly epoch: number;
  readonly id: number;
}

/** The answer of Kafka's leaders: the latest epoch up to the requested one, and the beginning of the next. */
function answerOf(log: readonly Appended[], asked: number): EpochEnd {
  const epoch = Math.max(-1, ...log.map((each) => each.epoch).filter((each) => each <= asked));
  if (epoch === -1) return { epoch: asked, end: 0 };
  const next = log.findIndex((each) => each.epoch > epoch);
  return { epoch, end: next === -1 ? log.length : next };
}

/** Repeats requests until the answer is exact. */
function agreesUntil(now: readonly Appended[], read: readonly EpochStart[]): number | undefined {
  const { until, rest } = agreement(read, answerOf(now, read.at(-1)?.epoch ?? -1));
  if (until === undefined || rest.length === 0) return until;
  return Math.min(until, agreesUntil(now, rest) ?? until);
}

test("no differing record lies before the cut, for any leaders with any missing records", () => {
  const elections = fc.array(
    fc.record({ from: fc.nat(2), keeps: fc.nat(12), appends: fc.integer({ min: 1, max: 6 }) }),
    {
      minLength: 2,
      maxLength: 8,
    },
  );
  fc.assert(
    fc.property(elections, fc.nat(7), (all, readIn) => {
      let id = 0;
      // Each replica, when it leads, continues its copy of an earlier leader's log.
      const logs: (readonly Appended[])[] = [];
      for (const [epoch, { from, keeps, appends }] of all.entries()) {
        const base = logs.at(-1 - from) ?? [];
        logs.push([...base.slice(0, keeps), ...Array.from({ length: appends }, () => ({ epoch, id: id++ }))]);
      }
      const read = logs[readIn % logs.length] ?? [];
      const now = logs.at(-1) ?? [];
      const starts = read
        .map(({ epoch }, from) => ({ epoch, from }))
        .filter(({ epoch }, index) => epoch !== read[index - 1]?.epoch);
      const until = agreesUntil(now, starts);
      const differs = read.findIndex((each, index) => each.id !== now[index]?.id);
      if (until !== undefined && differs !== -1) expect(until).toBeLessThanOrEqual(differs);
    }),
  );
});

test("a commit names the epoch of the record before it and the latest two after that", () => {
  const read = epochs([1, 0], [2, 10], [3, 20], [4, 30], [5, 40]);
  expect(epochsToCommit(read, 45)).toEqual(epochs([5, 40]));
  expect(epochsToCommit(read, 40)).toEqual(epochs([4, 30], [5, 40]));
  expect(epochsToCommit(read, 15)).toEqual(epochs([2, 10], [4, 30], [5, 40]));
  expect(epochsToCommit(epochs([4, 30]), 30)).toEqual(epochs([4, 30]));
  expect(epochsToCommit([], 30)).toEqual([]);
});
