import { describe, expect, test } from "vitest";
import { type Head, StandingHeads } from "../../../../src/worker/offsets/standing-heads.ts";

const SECOND = 1_000;
const head: Head = { topic: "bulk", partition: 0, lane: "backfill", offset: 7, since: 1 };
const other: Head = { topic: "live", partition: 0, lane: "realtime", offset: 3, since: 1 };

/** Checks once a second, from second `from` to second `to`, both included. */
function lookEach(
  heads: StandingHeads,
  seen: readonly Head[],
  [from, to]: readonly [number, number],
  explained = false,
) {
  for (let second = from; second <= to; second++) heads.look(seen, second * SECOND, explained);
}

describe("a watermark stands from when it is first seen", () => {
  test("for as long as it is there, in its lane", () => {
    const heads = new StandingHeads();
    lookEach(heads, [head], [0, 10]);
    lookEach(heads, [head, other], [11, 14]);

    expect([heads.longestMs("backfill"), heads.longestMs("realtime")]).toEqual([14 * SECOND, 3 * SECOND]);
    expect(heads.stuck(13 * SECOND)).toEqual({ head, standsMs: 14 * SECOND, unexplainedMs: 14 * SECOND });
    expect(heads.stuck(14 * SECOND)).toBeUndefined();
  });

  test("and the longest time of a lane is reported", () => {
    const heads = new StandingHeads();
    lookEach(heads, [head], [0, 10]);
    lookEach(heads, [{ ...head, partition: 1 }, head], [11, 12]);

    expect(heads.longestMs("backfill")).toBe(12 * SECOND);
  });

  test.each([
    ["its watermark moves", { ...head, offset: 8 }],
    ["the partition was lost and gained again", { ...head, since: 2 }],
  ])("until %s", (_what, next) => {
    const heads = new StandingHeads();
    lookEach(heads, [head], [0, 10]);
    lookEach(heads, [next], [11, 13]);

    expect(heads.longestMs("backfill")).toBe(2 * SECOND);
    expect(heads.stuck(2 * SECOND)).toBeUndefined();
  });

  test("until there is no work", () => {
    const heads = new StandingHeads();
    lookEach(heads, [head], [0, 10]);
    lookEach(heads, [], [11, 11]);
    expect(heads.longestMs("backfill")).toBe(0);
    lookEach(heads, [head], [12, 13]);

    expect(heads.longestMs("backfill")).toBe(SECOND);
  });
});

describe("time counts as unexplained", () => {
  test("only while there is no known reason", () => {
    const heads = new StandingHeads();
    lookEach(heads, [head], [0, 10]);
    lookEach(heads, [head], [11, 100], true);
    lookEach(heads, [head], [101, 105]);

    expect(heads.stuck(14 * SECOND)).toEqual({ head, standsMs: 105 * SECOND, unexplainedMs: 15 * SECOND });
  });

  test("and not while no check ran, because the whole process stood still", () => {
    const heads = new StandingHeads();
    heads.look([head], 0, false);
    heads.look([head], 3_600 * SECOND, false);

    expect(heads.stuck(0)).toEqual({ head, standsMs: 3_600 * SECOND, unexplainedMs: 5 * SECOND });
  });
});
