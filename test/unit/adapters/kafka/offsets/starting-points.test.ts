import { describe, expect, test } from "vitest";
import type { PartitionOffsets } from "../../../../../src/adapters/kafka/offsets/group-offsets.ts";
import { beginningOf, goOn, type ReadBefore } from "../../../../../src/adapters/kafka/offsets/starting-points.ts";

const here = { topic: "events", partition: 3 };
const [OLD, NEW] = ["old-topic", "new-topic"];
const log = (own: Partial<PartitionOffsets>): PartitionOffsets => ({
  committed: 7,
  metadata: "a word",
  earliest: 5,
  end: 90,
  ...own,
});
const NOTHING_READ: ReadBefore = { topicId: undefined, next: undefined, isCut: false };
const read = (topicId: string, next = 40): ReadBefore => ({ topicId, next, isCut: false });

describe("reading begins", () => {
  test.each([
    { what: "at what was committed", stands: {}, expected: { offset: 7, metadata: "a word" } },
    {
      what: "at the first record when nothing was committed",
      stands: { committed: undefined },
      expected: { offset: 5 },
    },
    {
      what: "at the first record when what was committed is gone",
      stands: { committed: 2 },
      expected: { offset: 5, lostFrom: 2, metadata: "a word" },
    },
    {
      what: "at a commit past the end, which a new leader may not know yet",
      stands: { committed: 95 },
      expected: { offset: 95, metadata: "a word" },
    },
    {
      what: "at a commit that names no topic",
      stands: { topicId: NEW },
      expected: { offset: 7, metadata: "a word" },
    },
    {
      what: "at a commit of a cluster that gives no ids by now",
      stands: { committedId: OLD },
      expected: { offset: 7, metadata: "a word" },
    },
    {
      what: "at a commit of another cluster, whose word is of other offsets",
      stands: { topicId: NEW, mirroredFrom: "other" },
      expected: { offset: 7, metadata: "" },
    },
    {
      what: "at a commit in this topic",
      stands: { committedId: NEW, topicId: NEW },
      expected: { offset: 7, metadata: "a word" },
    },
  ])("$what", ({ stands, expected }) => {
    expect(beginningOf(here, log(stands), NOTHING_READ)).toEqual({ ...here, ...expected });
  });

  test("at the first record when the commit belongs to an earlier topic with this name", () => {
    expect(beginningOf(here, log({ committedId: OLD, topicId: NEW }), NOTHING_READ)).toEqual({
      ...here,
      offset: 5,
      isAnew: true,
      recreated: { ...here, oldId: OLD, newId: NEW, readTo: 7, from: 5 },
    });
  });

  test("at the first record when this process has read an earlier topic with this name", () => {
    const found = log({ committed: undefined, topicId: NEW });
    expect(beginningOf(here, found, read(OLD))).toEqual({
      ...here,
      offset: 5,
      isAnew: true,
      recreated: { ...here, oldId: OLD, newId: NEW, readTo: 40, from: 5 },
    });
  });

  test("at another member's commit in the new topic, whatever this member knows of the old one", () => {
    expect(beginningOf(here, log({ committedId: NEW, topicId: NEW }), read(OLD))).toEqual({
      ...here,
      offset: 7,
      metadata: "a word",
      isAnew: true,
    });
  });

  test("at the first record of the new topic, reported once, until there is a commit in it", () => {
    expect(beginningOf(here, log({ committedId: OLD, topicId: NEW }), read(NEW))).toEqual({ ...here, offset: 5 });
  });

  test("at the first record of a log that was cut", () => {
    const before = { topicId: NEW, next: 95, isCut: true };
    expect(beginningOf(here, log({ committed: 95, committedId: NEW, topicId: NEW }), before)).toEqual({
      ...here,
      offset: 5,
      isAnew: true,
      recreated: { ...here, oldId: NEW, newId: NEW, readTo: 95, from: 5 },
    });
  });
});

describe("reading begins in a log with a leader that lacks records", () => {
  const cut = (agreesUntil: number, next = 40): ReadBefore => ({ topicId: NEW, next, isCut: false, agreesUntil });
  const anew = { ...here, metadata: "a word", isAnew: true };

  test("at the commit where the log has all committed records", () => {
    const place = { ...here, offset: 7, metadata: "a word", agreesUntil: 50 };
    expect(beginningOf(here, { ...log({}), agreesUntil: 50 }, NOTHING_READ)).toEqual(place);
  });

  test("at the end of the common records where it lacks committed records, which is reported", () => {
    const found = { ...log({ committed: 30, topicId: NEW }), agreesUntil: 20 };
    const place = { ...here, offset: 20, metadata: "a word", agreesUntil: 20 };
    const truncated = { ...here, readTo: 30, cutAt: 20, from: 20 };
    expect(beginningOf(here, found, NOTHING_READ)).toEqual({ ...place, truncated });
    expect(beginningOf(here, found, read(NEW, 20))).toEqual(place);
  });

  test("again at the commit, or at the end of the common records, where it lacks records that were read here", () => {
    const truncated = { ...here, readTo: 40, cutAt: 30, from: 7 };
    const found = log({ topicId: NEW });
    expect(beginningOf(here, { ...found, agreesUntil: 30 }, cut(30))).toEqual({
      ...anew,
      offset: 7,
      agreesUntil: 30,
      truncated,
    });
    // A commit without epochs counts as one of the records that were read here.
    expect(beginningOf(here, { ...found, committed: 35 }, cut(30))).toEqual({
      ...anew,
      offset: 30,
      agreesUntil: 30,
      truncated: { ...truncated, from: 30 },
    });
  });

  test("at another member's commit in the new log", () => {
    const found = { ...log({ committed: 60, topicId: NEW }), agreesUntil: 70 };
    const truncated = { ...here, readTo: 40, cutAt: 30, from: 60 };
    expect(beginningOf(here, found, cut(30))).toEqual({ ...anew, offset: 60, agreesUntil: 70, truncated });
    const withoutEpochs = log({ committed: 60, topicId: NEW });
    expect(beginningOf(here, withoutEpochs, cut(30))).toEqual({ ...anew, offset: 60, truncated });
  });

  test("again at the first record where there is no commit", () => {
    const truncated = { ...here, readTo: 40, cutAt: 30, from: 5 };
    const place = { ...here, offset: 5, isAnew: true, truncated };
    expect(beginningOf(here, log({ committed: undefined, topicId: NEW }), cut(30))).toEqual(place);
  });

  test("at the first record where the end of the common records is deleted, and the records in between are lost", () => {
    const found = { ...log({ committed: 30, earliest: 25 }), agreesUntil: 20 };
    expect(beginningOf(here, found, NOTHING_READ)).toMatchObject({ offset: 25, lostFrom: 20, agreesUntil: 20 });
  });
});

describe("reading goes on", () => {
  const at = { ...here, offset: 40 };
  const known = { topicId: NEW, isCertain: false };

  test("at its position, or at the present beginning of the log", () => {
    expect(goOn(at, log({ topicId: NEW }), known)).toEqual(at);
    expect(goOn(at, log({ earliest: 60 }), known)).toEqual({ ...here, offset: 60, lostFrom: 40 });
  });

  test("nowhere in another topic, even with a longer log", () => {
    expect(goOn({ ...at }, log({ topicId: NEW }), { topicId: OLD, isCertain: false })).toBe("another");
  });

  test("nowhere in a log that ends before the position, once that is certain", () => {
    expect(() => goOn(at, log({ end: 30 }), known)).toThrow("events/3 cannot be read on from 40: its log ends at 30");
    expect(goOn(at, log({ end: 30 }), { ...known, isCertain: true })).toBe("another");
  });

  test("again where the log is known to lack read records, and at the position where it has them all", () => {
    for (const end of [30, 90]) {
      expect(goOn(at, log({ end }), { ...known, agreesUntil: 39 })).toBe("truncated");
      expect(goOn(at, log({ end }), { ...known, isCertain: true, agreesUntil: 40 })).toEqual(at);
    }
    expect(goOn(at, log({ topicId: NEW }), { topicId: OLD, isCertain: false, agreesUntil: 39 })).toBe("another");
  });

  test("nowhere while the brokers do not know the partition", () => {
    expect(() => goOn(at, undefined, known)).toThrow("the brokers do not know it");
  });
});
