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

  test("at the first record when the commit is of a topic that had the name before", () => {
    expect(beginningOf(here, log({ committedId: OLD, topicId: NEW }), NOTHING_READ)).toEqual({
      ...here,
      offset: 5,
      isAnew: true,
      recreated: { ...here, oldId: OLD, newId: NEW, readTo: 7, from: 5 },
    });
  });

  test("at the first record when this process has read a topic that had the name before", () => {
    const found = log({ committed: undefined, topicId: NEW });
    expect(beginningOf(here, found, read(OLD))).toEqual({
      ...here,
      offset: 5,
      isAnew: true,
      recreated: { ...here, oldId: OLD, newId: NEW, readTo: 40, from: 5 },
    });
  });

  test("where another member has come to in the new topic; what this one knows of the old one counts no more", () => {
    expect(beginningOf(here, log({ committedId: NEW, topicId: NEW }), read(OLD))).toEqual({
      ...here,
      offset: 7,
      metadata: "a word",
      isAnew: true,
    });
  });

  test("at the first record of the new topic, told once, until something is committed in it", () => {
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

describe("reading begins in a log whose leader lacks records", () => {
  const cut = (agreesUntil: number, next = 40): ReadBefore => ({ topicId: NEW, next, isCut: false, agreesUntil });
  const anew = { ...here, metadata: "a word", isAnew: true };

  test("where it holds what was committed: at the commit", () => {
    const place = { ...here, offset: 7, metadata: "a word", agreesUntil: 50 };
    expect(beginningOf(here, { ...log({}), agreesUntil: 50 }, NOTHING_READ)).toEqual(place);
  });

  test("where it lacks some of what was committed: where it ends, which is told", () => {
    const found = { ...log({ committed: 30, topicId: NEW }), agreesUntil: 20 };
    const place = { ...here, offset: 20, metadata: "a word", agreesUntil: 20 };
    const truncated = { ...here, readTo: 30, cutAt: 20, from: 20 };
    expect(beginningOf(here, found, NOTHING_READ)).toEqual({ ...place, truncated });
    expect(beginningOf(here, found, read(NEW, 20))).toEqual(place);
  });

  test("where it lacks some of what was read here: anew at the commit, and no later than where it ends", () => {
    const truncated = { ...here, readTo: 40, cutAt: 30, from: 7 };
    const found = log({ topicId: NEW });
    expect(beginningOf(here, { ...found, agreesUntil: 30 }, cut(30))).toEqual({
      ...anew,
      offset: 7,
      agreesUntil: 30,
      truncated,
    });
    // A commit that names no epochs is of what was read here.
    expect(beginningOf(here, { ...found, committed: 35 }, cut(30))).toEqual({
      ...anew,
      offset: 30,
      agreesUntil: 30,
      truncated: { ...truncated, from: 30 },
    });
  });

  test("where another member has come to in it: there", () => {
    const found = { ...log({ committed: 60, topicId: NEW }), agreesUntil: 70 };
    const truncated = { ...here, readTo: 40, cutAt: 30, from: 60 };
    expect(beginningOf(here, found, cut(30))).toEqual({ ...anew, offset: 60, agreesUntil: 70, truncated });
    const withoutEpochs = log({ committed: 60, topicId: NEW });
    expect(beginningOf(here, withoutEpochs, cut(30))).toEqual({ ...anew, offset: 60, truncated });
  });

  test("where nothing is committed: anew at the first record", () => {
    const truncated = { ...here, readTo: 40, cutAt: 30, from: 5 };
    const place = { ...here, offset: 5, isAnew: true, truncated };
    expect(beginningOf(here, log({ committed: undefined, topicId: NEW }), cut(30))).toEqual(place);
  });

  test("where its end is deleted by now: at the first record, and what lies between is lost", () => {
    const found = { ...log({ committed: 30, earliest: 25 }), agreesUntil: 20 };
    expect(beginningOf(here, found, NOTHING_READ)).toMatchObject({ offset: 25, lostFrom: 20, agreesUntil: 20 });
  });
});

describe("reading goes on", () => {
  const at = { ...here, offset: 40 };
  const known = { topicId: NEW, isCertain: false };

  test("where it stood, or where the log begins by now", () => {
    expect(goOn(at, log({ topicId: NEW }), known)).toEqual(at);
    expect(goOn(at, log({ earliest: 60 }), known)).toEqual({ ...here, offset: 60, lostFrom: 40 });
  });

  test("nowhere in another topic, though its log be longer", () => {
    expect(goOn({ ...at }, log({ topicId: NEW }), { topicId: OLD, isCertain: false })).toBe("another");
  });

  test("nowhere in a log that ends before, once that is certain", () => {
    expect(() => goOn(at, log({ end: 30 }), known)).toThrow("events/3 cannot be read on from 40: its log ends at 30");
    expect(goOn(at, log({ end: 30 }), { ...known, isCertain: true })).toBe("another");
  });

  test("anew where the log is known to lack what was read, and where it stood where it is known to hold it", () => {
    for (const end of [30, 90]) {
      expect(goOn(at, log({ end }), { ...known, agreesUntil: 39 })).toBe("truncated");
      expect(goOn(at, log({ end }), { ...known, isCertain: true, agreesUntil: 40 })).toEqual(at);
    }
    expect(goOn(at, log({ topicId: NEW }), { topicId: OLD, isCertain: false, agreesUntil: 39 })).toBe("another");
  });

  test("not while the brokers do not know the partition", () => {
    expect(() => goOn(at, undefined, known)).toThrow("the brokers do not know it");
  });
});
